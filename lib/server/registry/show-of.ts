import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Show } from './seen.ts';

/**
 * The conversion of stored states to the version of a type. For most types, it changes nothing. It is apart from the view
 * of a request, because only history needs it.
 */
export async function showOf(type: ResourceType): Promise<Show> {
  if (type.custom !== undefined) return (await import('./custom-view.ts')).customShow(type, type.custom);
  if (type.storedAs !== undefined) return (await import('./version-view.ts')).versionShow(type);
  return (state) => state;
}
