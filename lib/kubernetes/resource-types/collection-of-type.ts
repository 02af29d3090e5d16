import { type Collection, collectionOf } from '../../json/index.ts';
import type { ResourceType } from './resource-type.ts';

/** Returns the collection that stores objects of the type. Several versions of a kind share one collection. */
export function collectionOfType({
  group,
  resource,
  storedAs,
}: Pick<ResourceType, 'group' | 'resource' | 'storedAs'>): Collection {
  return collectionOf(storedAs?.group ?? group, resource);
}
