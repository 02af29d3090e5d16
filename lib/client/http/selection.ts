import { type LabelSelector, selectorText } from './selector-text.ts';

/** What a Subscription asks for, as far as it is read here. */
export interface SubscriptionSpec {
  readonly resource: { readonly group?: string; readonly resource: string };
  readonly namespaces?: 'Own' | 'All';
  readonly labelSelector?: string;
  readonly selector?: LabelSelector;
  readonly fieldSelector?: string;
  readonly payload?: 'Object' | 'Metadata';
}

/** The same, as a LIST and a watch take it. */
export interface Selection {
  /** The path of the collection: `/api/v1/namespaces/default/pods`. */
  readonly collection: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** Asks a path of the API for its JSON. */
type Ask = (path: string) => Promise<unknown>;

/** What a Subscription in `namespace` selects. The API is asked for the version of a group. */
export async function readSelection(spec: SubscriptionSpec, namespace: string, ask: Ask): Promise<Selection> {
  const { group = '', resource } = spec.resource;
  const where = spec.namespaces === 'All' ? '' : `namespaces/${namespace}/`;
  const root = group === '' ? '/api/v1' : await preferred(group, ask);
  return {
    collection: `${root}/${where}${resource}`,
    labelSelector: spec.labelSelector ?? selectorText(spec.selector ?? {}),
    fieldSelector: spec.fieldSelector ?? '',
  };
}

async function preferred(group: string, ask: Ask): Promise<string> {
  const { preferredVersion } = (await ask(`/apis/${group}`)) as {
    preferredVersion: { groupVersion: string };
  };
  return `/apis/${preferredVersion.groupVersion}`;
}
