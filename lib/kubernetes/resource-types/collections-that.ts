import type { Collection } from '../../json/index.ts';
import { collectionOfType } from './collection-of-type.ts';
import type { ResourceType } from './resource-type.ts';
import { resourceTypes } from './served-types.ts';

/** The collections of the built-in types that pass a test. Several versions of a kind share one collection. */
export function collectionsThat(test: (type: ResourceType) => boolean): ReadonlySet<Collection> {
  return new Set(resourceTypes.filter(test).map(collectionOfType));
}
