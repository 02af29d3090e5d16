import { type JsonObject, objectAt } from './json.ts';

/** All objects of one resource type: `<group>/<resource>`, the core group spelled `core` (`core/pods`). */
export type Collection = `${string}/${string}`;

export function collectionOf(group: string, resource: string): Collection {
  return `${group === '' ? 'core' : group}/${resource}`;
}

/** The name of an object in its collection. */
export interface ObjectName {
  /** `''` in cluster scope. */
  readonly namespace: string;
  readonly name: string;
}

/** An object's metadata; empty where the object has none. */
export function metadataOf(body: JsonObject): JsonObject {
  return objectAt(body.metadata);
}
