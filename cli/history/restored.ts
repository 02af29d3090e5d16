import { type JsonObject, type JsonValue, metadataOf, objectsIn } from '../../lib/json/index.ts';

/** Top-level fields that are not restored. */
const KEPT = ['apiVersion', 'kind', 'metadata', 'status'];

/**
 * The present object with the labels, the annotations and all top-level fields but the status of an earlier state. It
 * has the present resourceVersion, so that a write of it fails if the object has changed meanwhile.
 */
export function restored(current: JsonObject, state: JsonObject): JsonObject {
  const kept = Object.entries(current).filter(([field]) => KEPT.includes(field));
  const earlier = Object.entries(state).filter(([field]) => !KEPT.includes(field));
  const { labels: _labels, annotations: _annotations, ...metadata } = metadataOf(current);
  return {
    ...Object.fromEntries([...kept, ...earlier]),
    metadata: { ...metadata, ...namedIn(metadataOf(state), ['labels', 'annotations']) },
  };
}

/**
 * A deleted object, as it is created anew: without status, uid and finalizers, and with those owners alone that still
 * exist.
 *
 * @param owners the uids of owners that exist
 */
export function createdAnew(state: JsonObject, owners: ReadonlySet<string>): JsonObject {
  const { status: _status, ...rest } = state;
  const metadata = metadataOf(state);
  const ownerReferences = objectsIn(metadata.ownerReferences).filter(({ uid }) => owners.has(String(uid)));
  return {
    ...rest,
    metadata: {
      ...namedIn(metadata, ['name', 'namespace', 'labels', 'annotations']),
      ...(ownerReferences.length > 0 && { ownerReferences }),
    },
  };
}

function namedIn(object: JsonObject, fields: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)));
}
