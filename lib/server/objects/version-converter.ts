import type { JsonObject } from '../../json/index.ts';
import { UnmarshalError } from '../../kubernetes/fields/index.ts';
import { collectionOfType, type ResourceType, resourceTypes } from '../../kubernetes/resource-types/index.ts';
import { badRequest } from '../status/index.ts';
import { typedKindOf } from './typed-object.ts';

/** Makes an object one of another version. */
export type Converter = (body: JsonObject) => JsonObject;

/** What makes an object of one type one of another that shares its collection, filled in as that is. */
export async function converterBetween(from: ResourceType, to: ResourceType): Promise<Converter> {
  const kind = await typedKindOf(to);
  for (const { storedAs } of [from, to]) await storedAs?.load?.();
  return (body) => {
    const stored = from.storedAs?.encode(body) ?? body;
    const made = to.storedAs?.decode(stored) ?? stored;
    try {
      return kind?.decode(made).value ?? made;
    } catch (error) {
      throw error instanceof UnmarshalError ? badRequest(error.message) : error;
    }
  };
}

const BY_COLLECTION = Map.groupBy(resourceTypes, collectionOfType);

/** Every type that Kubernetes has of objects of one collection: one, but of the few kinds that have several versions. */
export function versionsOf(type: ResourceType): readonly ResourceType[] {
  return BY_COLLECTION.get(collectionOfType(type)) ?? [];
}
