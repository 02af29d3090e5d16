import { isJsonObject, type JsonObject } from '../../json/index.ts';

/** `object` with these entries, and without the field where there are none. */
export function withManagedFields(object: JsonObject, entries: readonly JsonObject[]): JsonObject {
  if (!isJsonObject(object.metadata)) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: [...entries] },
  };
}
