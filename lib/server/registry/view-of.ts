import type { ApiOptions, ResourceRoute } from '../http/index.ts';
import type { CustomTypes } from './custom-types.ts';
import type { Seen } from './seen.ts';

export interface SeenThroughOptions extends Seen, Pick<ApiOptions, 'clock'> {
  readonly types: CustomTypes;
}

/**
 * Returns the store and the watches for the type of a route. Objects of a kind with several versions are converted to
 * the requested one. Definitions get their accepted names when they are written. For most types, the result is
 * unchanged.
 */
export async function viewOf(
  { types, store, watches, clock }: SeenThroughOptions,
  { type }: ResourceRoute,
): Promise<Seen> {
  const { group, version, resource, custom, storedAs } = type;
  if (custom !== undefined) {
    const { customView } = await import('./custom-view.ts');
    const present = async (age: number) => (await types.recent(store, age)).find(group, version, resource);
    return customView({ type, custom, store, watches, clock, present });
  }
  if (storedAs !== undefined) {
    return (await import('./version-view.ts')).versionView({ store, watches }, type);
  }
  switch (`${resource}.${group}`) {
    case 'customresourcedefinitions.apiextensions.k8s.io': {
      const { definitionStore } = await import('./definition-store.ts');
      return { store: definitionStore(store, clock), watches };
    }
    case 'subscriptions.winnow.dev':
    case 'tallies.winnow.dev': {
      const { subscriptionStore } = await import('./subscription-store.ts');
      return { store: subscriptionStore(store, { type, types }), watches };
    }
    default:
      return { store, watches };
  }
}
