import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';

/** A line of an export that holds an object. */
export interface ObjectLine {
  readonly number: number;
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Empty if the file does not name one. */
  readonly uid: string;
  readonly owners: readonly Owner[];
  readonly isLeaving: boolean;
}

export type Owner = JsonObject & { readonly uid: string };

const ADVICE = 'Nothing was written. Export again, or fix the line.';
/** The error for an invalid line. */
export function badLine(number: number, what: string): Fault {
  return new Fault({ what: `line ${number}: ${what}`, advice: ADVICE });
}

/** @throws {Fault} the line does not hold a valid object; the message names the line and the field. */
export function parseObjectLine(number: number, text: string): ObjectLine {
  const object = parse(number, text);
  const metadata = objectIn(number, object, 'metadata');
  const name = textIn(number, metadata, 'metadata.name');
  refuseUnlessTexts(number, metadata, 'metadata.labels');
  refuseUnlessTexts(number, metadata, 'metadata.annotations');
  const { uid = '', namespace } = metadata;
  if (typeof uid !== 'string') throw badLine(number, 'metadata.uid: must be a string');
  if (namespace !== undefined && (typeof namespace !== 'string' || namespace === '')) {
    throw badLine(number, 'metadata.namespace: must be a non-empty string');
  }
  return {
    number,
    object,
    apiVersion: textIn(number, object, 'apiVersion'),
    kind: textIn(number, object, 'kind'),
    name,
    namespace,
    uid,
    owners: ownersIn(number, metadata),
    isLeaving: metadata.deletionTimestamp !== undefined,
  };
}

function parse(number: number, text: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badLine(number, `is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isJsonObject(value)) throw badLine(number, 'must be a JSON object');
  return value;
}

function objectIn(number: number, within: JsonObject, field: string): JsonObject {
  const value = within[field];
  if (!isJsonObject(value)) throw badLine(number, `${field}: must be an object`);
  return value;
}

/** `field` is a path; its last part is the name of the field in `within`. */
function textIn(number: number, within: JsonObject, field: string): string {
  const value = within[lastOf(field)];
  if (typeof value !== 'string' || value === '') {
    throw badLine(number, `${field}: must be a non-empty string`);
  }
  return value;
}

function refuseUnlessTexts(number: number, within: JsonObject, field: string): void {
  const value = within[lastOf(field)];
  if (value === undefined) return;
  if (!isJsonObject(value)) throw badLine(number, `${field}: must be an object`);
  const bad = Object.keys(value).find((key) => typeof value[key] !== 'string');
  if (bad !== undefined) throw badLine(number, `${field}[${bad}]: must be a string`);
}

function ownersIn(number: number, { ownerReferences = [] }: JsonObject): readonly Owner[] {
  const field = 'metadata.ownerReferences';
  if (!Array.isArray(ownerReferences)) throw badLine(number, `${field}: must be a list`);
  return ownerReferences.map((owner, at) => {
    if (!isJsonObject(owner)) throw badLine(number, `${field}[${at}]: must be an object`);
    return { ...owner, uid: textIn(number, owner, `${field}[${at}].uid`) };
  });
}

const lastOf = (field: string) => field.slice(field.lastIndexOf('.') + 1);
