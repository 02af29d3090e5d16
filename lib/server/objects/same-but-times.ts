import { type JsonObject, jsonEquals, metadataOf } from '../../json/index.ts';

/** Whether a mutation changes only the times in managedFields. */
export function sameButTimes(body: JsonObject, live: JsonObject): boolean {
  return jsonEquals(withoutTimes(body), withoutTimes(live));
}

function withoutTimes(body: JsonObject): JsonObject {
  const { managedFields, ...metadata } = metadataOf(body);
  if (!Array.isArray(managedFields)) return body;
  const entries = managedFields.map((entry) => {
    const { time: _time, ...rest } = entry as JsonObject;
    return rest;
  });
  return { ...body, metadata: { ...metadata, managedFields: entries } };
}
