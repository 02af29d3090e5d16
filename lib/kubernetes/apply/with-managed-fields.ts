import { isJsonObject, type JsonObject } from '../../json/index.ts';

/** Returns `object` with these entries as its managedFields. Without entries, the field is removed. */
export function withManagedFields(object: JsonObject, entries: readonly JsonObject[]): JsonObject {
  if (!isJsonObject(object.metadata)) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: [...entries] },
  };
}
