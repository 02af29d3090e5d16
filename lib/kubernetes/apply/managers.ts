import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { quote } from '../../selectors/index.ts';
import { FieldSet } from './field-set.ts';
import { compareText } from './go-format.ts';
import { PathElementError } from './path-element.ts';

/** The fields that one manager owns. */
export interface Owned {
  readonly fields: FieldSet;
  /** The version of the object that the fields belong to. */
  readonly apiVersion: string;
  /** Whether the manager owns them by apply; otherwise by an update. */
  readonly applied: boolean;
}

/** A manager: one entry of managedFields, without its fields and its time. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** `''`, `status`, `scale` */
  readonly subresource: string;
}

/** The managers of an object by {@link managerId}, and the time of each manager's last write. */
export interface Managers {
  readonly owned: Map<string, Owned>;
  readonly times: Map<string, string>;
}

/** An entry of managedFields that cannot be read. Upstream then uses the managedFields of the stored object. */
export class ManagedFieldsError extends Error {
  override name = 'ManagedFieldsError';
}

export function noManagers(): Managers {
  return { owned: new Map(), times: new Map() };
}

/** Returns the key of a manager. An apply has one key in all versions; an update has one key per version. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  return JSON.stringify({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

export function managerOf(id: string): ManagerIdentity {
  return { manager: '', apiVersion: '', subresource: '', ...JSON.parse(id) };
}

/** Reads the managers from `metadata.managedFields`. @throws {ManagedFieldsError} */
export function readManagers(managedFields: JsonValue | undefined): Managers {
  const managers = noManagers();
  const entries = Array.isArray(managedFields) ? managedFields : [];
  for (const [index, entry] of entries.entries()) {
    const { id, owned, time } = readEntry(objectAt(entry), index);
    managers.owned.set(id, owned);
    if (time !== undefined) {
      managers.times.set(id, time);
    } else {
      managers.times.delete(id);
    }
  }
  return managers;
}

/** Whether a client requests that all ownership is removed: an empty list, or a list with one empty entry. */
export function isReset(managedFields: JsonValue | undefined): boolean {
  if (!Array.isArray(managedFields)) return false;
  const [first, ...others] = managedFields;
  return first === undefined || (others.length === 0 && Object.keys(objectAt(first)).length === 0);
}

/** Returns `metadata.managedFields`: applies before updates, each oldest first. */
export function writeManagers({ owned, times }: Managers): JsonObject[] {
  const entries = [...owned].map(([id, own]) => entryOf(managerOf(id), own, times.get(id)));
  return entries.sort((a, b) => compareEntries(a, b));
}

function readEntry(entry: JsonObject, index: number): { id: string; owned: Owned; time: string | undefined } {
  const {
    manager = '',
    operation,
    apiVersion = '',
    subresource = '',
    time,
    fieldsType = '',
    fieldsV1,
  } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw new ManagedFieldsError('apiVersion must not be empty');
  }
  if (fieldsType !== 'FieldsV1') {
    const why = fieldsType === '' ? 'missing fieldsType' : `invalid fieldsType ${quote(String(fieldsType))}`;
    throw new ManagedFieldsError(`${why} in managed fields entry ${index}`);
  }
  const identity: ManagerIdentity = {
    manager: String(manager),
    operation,
    apiVersion,
    subresource: String(subresource),
  };
  const fields = readFields(fieldsV1);
  return {
    id: managerId(identity),
    owned: { fields, apiVersion, applied: operation === 'Apply' },
    time: typeof time === 'string' ? time : undefined,
  };
}

function readFields(fieldsV1: JsonValue | undefined): FieldSet {
  try {
    return FieldSet.fromFieldsV1(isJsonObject(fieldsV1) ? fieldsV1 : {});
  } catch (error) {
    if (error instanceof PathElementError) throw new ManagedFieldsError(error.message);
    throw error;
  }
}

function entryOf(identity: ManagerIdentity, own: Owned, time: string | undefined): JsonObject {
  return {
    ...(identity.manager === '' ? {} : { manager: identity.manager }),
    operation: own.applied ? 'Apply' : identity.operation,
    apiVersion: own.apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: own.fields.toFieldsV1(),
    ...(identity.subresource === '' ? {} : { subresource: identity.subresource }),
  };
}

const ORDER = ['operation', 'time', 'manager', 'apiVersion', 'subresource'] as const;

/**
 * Compares two entries. Times are RFC 3339 in UTC, whole seconds, so they sort as text. An absent time sorts first.
 */
function compareEntries(a: JsonObject, b: JsonObject): number {
  for (const field of ORDER) {
    const order = compareText(String(a[field] ?? ''), String(b[field] ?? ''));
    if (order !== 0) return order;
  }
  return 0;
}
