import type { JsonObject, JsonValue } from '../../store/index.ts';

const API_VERSION = 'meta.k8s.io/v1';

/** The object reduced to its metadata. */
export function toPartialObjectMetadata(object: JsonObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: API_VERSION, metadata: object.metadata ?? {} };
}

/** A list reduced to its objects' metadata; `metadata` is the list's own. */
export function toPartialObjectMetadataList(objects: readonly JsonObject[], metadata: JsonValue): JsonObject {
  const items = objects.map(toPartialObjectMetadata);
  return { kind: 'PartialObjectMetadataList', apiVersion: API_VERSION, metadata, items };
}
