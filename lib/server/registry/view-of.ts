import type { ApiOptions, ResourceRoute } from '../http/index.ts';
import type { CustomTypes } from './custom-types.ts';
import type { Seen } from './seen.ts';

export interface SeenThroughOptions extends Seen, Pick<ApiOptions, 'clock'> {
  readonly types: CustomTypes;
}

/**
 * The store and the watches as the type of a route has them: objects of a kind of several versions are seen through the
 * one that is asked for, and definitions are written under the names that they are accepted. For most types they are what they are.
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
