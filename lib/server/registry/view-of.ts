import type { ApiOptions, ResourceRoute } from '../http/index.ts';
import type { CustomTypes } from './custom-types.ts';
import type { Seen } from './seen.ts';

export interface SeenThroughOptions extends Seen, Pick<ApiOptions, 'clock'> {
  readonly types: CustomTypes;
}

/**
 * Returns the store and the watches for the version of a route. Objects of a kind with several versions are converted
 * to the requested one. For most types, the result is unchanged.
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
  return { store, watches };
}
