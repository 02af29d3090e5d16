import { type LabelSelector, selectorText } from './selector-text.ts';

/** What a Subscription asks for, as far as it is read here. */
export interface SubscriptionSpec {
  readonly resource: { readonly group?: string; readonly resource: string };
  readonly namespaces?: 'Own' | 'All';
  /** Instead: those whose labels match. */
  readonly namespaceSelector?: LabelSelector | null;
  readonly labelSelector?: string;
  readonly selector?: LabelSelector;
  readonly fieldSelector?: string;
  readonly payload?: 'Object' | 'Metadata' | 'Reference';
}

/** The same, as a LIST and a watch take it. */
export interface Selection {
  /** The path of the collection: `/api/v1/namespaces/default/pods`. */
  readonly collection: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Of all that has these selectors, what is in these namespaces; undefined: everything. */
  readonly namespaces: ReadonlySet<string> | undefined;
}

interface Names {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** Asks a path of the API for its JSON. */
type Ask = (path: string) => Promise<unknown>;

/** What a Subscription in `namespace` selects. The API is asked for the version of a group. */
export async function readSelection(spec: SubscriptionSpec, namespace: string, ask: Ask): Promise<Selection> {
  const { group = '', resource } = spec.resource;
  const namespaceSelector = spec.namespaceSelector ?? undefined;
  const isInAll = namespaceSelector !== undefined || spec.namespaces === 'All';
  const where = isInAll ? '' : `namespaces/${namespace}/`;
  const root = group === '' ? '/api/v1' : await preferred(group, ask);
  return {
    collection: `${root}/${where}${resource}`,
    labelSelector: spec.labelSelector ?? selectorText(spec.selector ?? {}),
    fieldSelector: spec.fieldSelector ?? '',
    namespaces: namespaceSelector && (await namesOf(namespaceSelector, ask)),
  };
}

/** Of the namespaces whose labels match now. */
async function namesOf(selector: LabelSelector, ask: Ask): Promise<ReadonlySet<string>> {
  const query = new URLSearchParams({ labelSelector: selectorText(selector) });
  const { items } = (await ask(`/api/v1/namespaces?${query}`)) as Names;
  return new Set(items.map(({ metadata }) => metadata.name));
}

async function preferred(group: string, ask: Ask): Promise<string> {
  const { preferredVersion } = (await ask(`/apis/${group}`)) as {
    preferredVersion: { groupVersion: string };
  };
  return `/apis/${preferredVersion.groupVersion}`;
}
