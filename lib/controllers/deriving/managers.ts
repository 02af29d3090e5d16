import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import type { JournalChange, ObjectState } from '../../store/index.ts';

/** The managers of derived data in managedFields. */
export const MANAGER = 'winnow-derive';

/** Whether somebody else has written the status: then it is theirs, and nothing is derived for it. */
export function isOthers(body: JsonObject): boolean {
  return statusManagers(body).some((manager) => manager !== MANAGER);
}

/** Whether a change is nothing but what was derived. */
export function isOwnWrite({ before, after }: JournalChange): boolean {
  if (before === undefined || after === undefined) return false;
  if (isOthers(after.body) || statusManagers(after.body).length === 0) return false;
  return isDeepStrictEqual(withoutStatus(before.body), withoutStatus(after.body));
}

/** Whether nobody but who derives has written an object of which all is derived. */
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
