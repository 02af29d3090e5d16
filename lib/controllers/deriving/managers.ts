import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import type { JournalChange, ObjectState } from '../../store/index.ts';

/** The name of Winnow's derivation in managedFields. */
export const MANAGER = 'winnow-derive';

/** Whether another manager has written the status. Then Winnow derives nothing for it. */
export function isOthers(body: JsonObject): boolean {
  return statusManagers(body).some((manager) => manager !== MANAGER);
}

/** Whether a change consists only of derived data. */
export function isOwnWrite({ before, after }: JournalChange): boolean {
  if (before === undefined || after === undefined) return false;
  if (isOthers(after.body) || statusManagers(after.body).length === 0) return false;
  return isDeepStrictEqual(withoutStatus(before.body), withoutStatus(after.body));
}

/** Whether only the derivation has written a wholly derived object. */
export function isOwnObject({ body }: ObjectState): boolean {
  const managers = managersOf(body).map(({ manager }) => manager);
  return managers.length > 0 && managers.every((manager) => manager === MANAGER);
}

function withoutStatus(body: JsonObject): JsonObject {
  const { status: _status, metadata: _metadata, ...rest } = body;
  const { managedFields: _managed, ...metadata } = metadataOf(body);
  return { ...rest, metadata };
}

function statusManagers(body: JsonObject): readonly string[] {
  return managersOf(body)
    .filter(({ fieldsV1 }) => objectAt(fieldsV1)['f:status'] !== undefined)
    .map(({ manager }) => String(manager ?? ''));
}

function managersOf(body: JsonObject): readonly JsonObject[] {
  const { managedFields } = metadataOf(body);
  return Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : [];
}
