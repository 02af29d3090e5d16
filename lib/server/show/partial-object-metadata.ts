import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { Representation } from '../http/index.ts';

type Version = Representation['version'];

/** The object reduced to its metadata. */
export function toPartialObjectMetadata(object: JsonObject, version: Version = 'v1'): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object.metadata ?? {},
  };
}

/** A list reduced to the metadata of its objects. `metadata` is that of the list. */
export function toPartialObjectMetadataList(
  objects: readonly JsonObject[],
  metadata: JsonValue,
  version: Version = 'v1',
): JsonObject {
  const items = objects.map((object) => toPartialObjectMetadata(object, version));
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata, items };
}
