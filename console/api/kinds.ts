import { type ReadonlySignal, signal } from '@preact/signals';
import { ask } from './client.ts';
import type { KindInfo } from './shapes.ts';

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind: string };
        readonly scope: string;
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
        readonly verbs: readonly string[];
      }[];
    }[];
  }[];
}

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const found = signal<readonly KindInfo[]>([]);
const failed = signal<Error | undefined>(undefined);

/** All kinds that can be listed, each in the preferred version of its group. Empty until they are loaded. */
export const kinds: ReadonlySignal<readonly KindInfo[]> = found;
export const kindsError: ReadonlySignal<Error | undefined> = failed;

/** Loads the kinds, at the start and when a kind is asked for that is not known. */
export async function loadKinds(): Promise<void> {
  try {
    const documents = await Promise.all(
      ['/api', '/apis'].map((path) => ask<Discovery>(path, { accept: ACCEPT })),
    );
    found.value = documents.flatMap(readDiscovery);
    failed.value = undefined;
  } catch (error) {
    failed.value = error as Error;
  }
}

/** Finds a kind by its id, plural, singular, short name or name in objects; the core group first. */
export function findKind(text: string): KindInfo | undefined {
  const name = text.toLowerCase();
  const isNamed = ({ plural, singular, kind, shortNames }: KindInfo) =>
    plural === name || singular === name || kind.toLowerCase() === name || shortNames.includes(name);
  return found.value.find(({ id }) => id === name) ?? found.value.find(isNamed);
}

/** Whether a kind comes from a CustomResourceDefinition of the user. */
export function isCustom({ group }: KindInfo): boolean {
  return group.includes('.') && !/(?:^|\.)(?:k8s\.io|winnow\.dev)$/.test(group);
}

/** The id of the kind with an apiVersion and a name in objects. Empty if it is not served. */
export function kindIdOf(apiVersion: string, kind: string): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return found.value.find((one) => one.group === group && one.kind === kind)?.id ?? '';
}

function readDiscovery({ items }: Discovery): KindInfo[] {
  return items.flatMap(({ metadata: { name: group = '' }, versions }) => {
    const seen = new Set<string>();
    return versions.flatMap(({ version, resources = [] }) =>
      resources.flatMap(
        ({ resource: plural, responseKind, scope, singularResource, shortNames = [], verbs }) => {
          if (seen.has(plural) || !verbs.includes('list')) return [];
          seen.add(plural);
          return {
            id: group === '' ? plural : `${plural}.${group}`,
            group,
            version,
            apiVersion: group === '' ? version : `${group}/${version}`,
            plural,
            kind: responseKind?.kind ?? plural,
            singular: singularResource || plural,
            shortNames,
            namespaced: scope === 'Namespaced',
            verbs,
          };
        },
      ),
    );
  });
}
