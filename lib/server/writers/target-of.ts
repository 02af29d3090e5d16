import { type Collection, type JsonObject, metadataOf, type ObjectName } from '../../json/index.ts';
import { collectionOfType, type ResourceType, resourceTypes } from '../../kubernetes/resource-types/index.ts';

/** The type and the place of an object that is written. */
export interface Target {
  readonly type: ResourceType;
  readonly collection: Collection;
  readonly name: ObjectName;
}

/**
 * Returns the target of an object of a collection, by its namespace and name.
 *
 * @throws {Error} the collection is not served
 */
export function targetOf(collection: Collection, object: JsonObject): Target {
  const type = resourceTypes.find((one) => collectionOfType(one) === collection);
  if (type === undefined) throw new Error(`the collection ${collection} is not served`);
  const { namespace = '', name = '' } = metadataOf(object);
  return { type, collection, name: { namespace: String(namespace), name: String(name) } };
}
