import { type Collection, type JsonObject, metadataOf, type ObjectName } from '../../json/index.ts';
import { collectionOfType, type ResourceType, resourceTypes } from '../../kubernetes/resource-types/index.ts';

/** Where an object is written. */
export interface Target {
  readonly type: ResourceType;
  readonly collection: Collection;
  readonly name: ObjectName;
}

/** Where an object of a collection is, by its own namespace and name. @throws {Error} nothing is served there */
export function targetOf(collection: Collection, object: JsonObject): Target {
  const type = resourceTypes.find((one) => collectionOfType(one) === collection);
  if (type === undefined) throw new Error(`the collection ${collection} is not served`);
  const { namespace = '', name = '' } = metadataOf(object);
  return { type, collection, name: { namespace: String(namespace), name: String(name) } };
}
