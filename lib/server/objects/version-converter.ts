import type { JsonObject } from '../../json/index.ts';
import { UnmarshalError } from '../../kubernetes/fields/index.ts';
import { collectionOfType, type ResourceType, resourceTypes } from '../../kubernetes/resource-types/index.ts';
import { badRequest } from '../status/index.ts';
import { typedKindOf } from './typed-object.ts';

/** Converts an object to another version. */
export type Converter = (body: JsonObject) => JsonObject;

/** The converter between two types that share a collection. The result has the defaults of the other type. */
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

/** All types of Kubernetes that share the type's collection: one, except for the few kinds with several versions. */
export function versionsOf(type: ResourceType): readonly ResourceType[] {
  return BY_COLLECTION.get(collectionOfType(type)) ?? [];
}
