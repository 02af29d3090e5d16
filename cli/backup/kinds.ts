import type { Answer } from '../client.ts';

/** A resource type whose objects can be listed and created. */
export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of the group version: `/api/v1`, `/apis/apps/v1`. */
  readonly root: string;
  /** The plural name. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** Whether it has a status subresource. */
  readonly hasStatus: boolean;
  /** Whether an earlier kind in the list has the same objects in another version. */
  readonly isAgain?: boolean;
}

/** Requests JSON from a Kubernetes API. Rejects if the answer is not JSON. */
export type Ask = (method: 'GET', path: string) => Promise<Answer['body']>;

export const DEFINITION = 'CustomResourceDefinition';
const DEFINITIONS = 'apiextensions.k8s.io';

/** Resources with the same objects as a resource of another group. */
const TWICE = new Set(['/apis/events.k8s.io/v1/events']);
/** Kinds that limit other objects or deliver their changes. They are created after the others. */
const LAST = new Set(['LimitRange', 'ResourceQuota', 'PodDisruptionBudget', 'Subscription', 'Event']);

/**
 * Lists all kinds of an endpoint in all versions, in the order in which their objects can be created: definitions,
 * namespaces, kinds of definitions, then the others.
 */
export async function listKinds(ask: Ask): Promise<readonly Kind[]> {
  const { groups = [] } = (await ask('GET', '/apis')) as { groups?: readonly Group[] };
  const kinds: Kind[] = [];
  for (const versions of [['v1'], ...groups.map(versionsOf)]) {
    const seen = new Set<string>();
    for (const apiVersion of versions) {
      for (const kind of await kindsOf(ask, apiVersion)) {
        kinds.push({ ...kind, isAgain: seen.has(kind.resource) });
        seen.add(kind.resource);
      }
    }
  }
  const custom = await definedKinds(ask, kinds);
  const rank = (one: Kind) => rankOf(one, custom.has(`${one.apiVersion}/${one.resource}`));
  return kinds.sort((left, right) => rank(left) - rank(right));
}

interface Group {
  readonly preferredVersion: { readonly groupVersion: string };
  readonly versions: readonly { readonly groupVersion: string }[];
}

/**
 * The versions of a group, the preferred one first. Other versions may have resources that the preferred
 * version lacks.
 */
function versionsOf({ preferredVersion, versions }: Group): string[] {
  return [...new Set([preferredVersion, ...versions].map(({ groupVersion }) => groupVersion))];
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The kinds of a group version; empty if the version does not exist any more. */
export async function kindsOf(ask: Ask, apiVersion: string): Promise<readonly Kind[]> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources = [] } = (await ask('GET', root)) as { resources?: readonly Resource[] };
  const names = new Set(resources.map(({ name }) => name));
  return resources
    .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list') && verbs.includes('create'))
    .filter(({ name }) => !TWICE.has(`${root}/${name}`))
    .map(({ name, kind, namespaced }) => ({
      apiVersion,
      kind,
      root,
      resource: name,
      namespaced,
      hasStatus: names.has(`${name}/status`),
    }));
}

/** The kinds that CustomResourceDefinitions define, as `<apiVersion>/<plural>`. */
async function definedKinds(ask: Ask, kinds: readonly Kind[]): Promise<ReadonlySet<string>> {
  const definitions = kinds.find(({ kind }) => kind === DEFINITION);
  const defined = new Set<string>();
  let next = '';
  while (definitions !== undefined) {
    const query = new URLSearchParams({ limit: '100', ...(next !== '' && { continue: next }) });
    const page = (await ask('GET', `${collectionPath(definitions)}?${query}`)) as unknown as DefinitionPage;
    for (const { spec } of page.items) {
      for (const { name } of spec.versions) defined.add(`${spec.group}/${name}/${spec.names.plural}`);
    }
    next = page.metadata.continue ?? '';
    if (next === '') break;
  }
  return defined;
}

interface DefinitionPage {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly { readonly spec: DefinitionSpec }[];
}

/** The part of a CustomResourceDefinition's spec that names its kinds. */
export interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: { readonly plural: string; readonly kind: string };
  readonly versions: readonly {
    readonly name: string;
    readonly subresources?: { readonly status?: object };
  }[];
}

/** The path of a kind's objects in one namespace, or in all. */
export function collectionPath({ root, resource }: Kind, namespace?: string): string {
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${place}/${resource}`;
}

function rankOf({ apiVersion, kind, namespaced }: Kind, isCustom: boolean): number {
  if (kind === DEFINITION && apiVersion.startsWith(`${DEFINITIONS}/`)) return 0;
  if (kind === 'Namespace' && apiVersion === 'v1') return 1;
  if (LAST.has(kind)) return 5;
  if (isCustom) return 2;
  return namespaced ? 4 : 3;
}
