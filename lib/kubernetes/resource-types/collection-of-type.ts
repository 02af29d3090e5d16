import { type Collection, collectionOf } from '../../json/index.ts';
import type { ResourceType } from './resource-type.ts';

/** Where objects of the type are kept; several versions of a kind share one collection. */
export function collectionOfType({
  group,
  resource,
  storedAs,
}: Pick<ResourceType, 'group' | 'resource' | 'storedAs'>): Collection {
  return collectionOf(storedAs?.group ?? group, resource);
}
