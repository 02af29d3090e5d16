import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';

/** An object of an export. */
export interface ObjectLine {
  readonly number: number;
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** '' where the file says none. */
  readonly uid: string;
  readonly owners: readonly Owner[];
  readonly isLeaving: boolean;
}

export type Owner = JsonObject & { readonly uid: string };

const ADVICE = 'Nothing was written. Export again, or mend the line.';

/** That a line is not what it has to be. */
export function badLine(number: number, what: string): Fault {
  return new Fault({ what: `line ${number}: ${what}`, advice: ADVICE });
}

/** @throws {Fault} it is no object; the line and the field are named. */
export function parseObjectLine(number: number, text: string): ObjectLine {
  const object = parse(number, text);
  const metadata = objectIn(number, object, 'metadata');
  const name = textIn(number, metadata, 'metadata.name');
  refuseUnlessTexts(number, metadata, 'metadata.labels');
  refuseUnlessTexts(number, metadata, 'metadata.annotations');
  const { uid = '', namespace } = metadata;
  if (typeof uid !== 'string') throw badLine(number, 'metadata.uid: has to be a text');
  if (namespace !== undefined && (typeof namespace !== 'string' || namespace === '')) {
    throw badLine(number, 'metadata.namespace: has to be a text');
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
  if (!isJsonObject(value)) throw badLine(number, 'has to be a JSON object');
  return value;
}

function objectIn(number: number, within: JsonObject, field: string): JsonObject {
  const value = within[field];
  if (!isJsonObject(value)) throw badLine(number, `${field}: has to be an object`);
  return value;
}

/** `field` is a path whose last part is the field's name. */
function textIn(number: number, within: JsonObject, field: string): string {
  const value = within[lastOf(field)];
  if (typeof value !== 'string' || value === '') throw badLine(number, `${field}: has to be a text`);
  return value;
}

function refuseUnlessTexts(number: number, within: JsonObject, field: string): void {
  const value = within[lastOf(field)];
  if (value === undefined) return;
  if (!isJsonObject(value)) throw badLine(number, `${field}: has to be an object`);
  const bad = Object.keys(value).find((key) => typeof value[key] !== 'string');
  if (bad !== undefined) throw badLine(number, `${field}[${bad}]: has to be a text`);
}

function ownersIn(number: number, { ownerReferences = [] }: JsonObject): readonly Owner[] {
  const field = 'metadata.ownerReferences';
  if (!Array.isArray(ownerReferences)) throw badLine(number, `${field}: has to be a list`);
  return ownerReferences.map((owner, at) => {
    if (!isJsonObject(owner)) throw badLine(number, `${field}[${at}]: has to be an object`);
    return { ...owner, uid: textIn(number, owner, `${field}[${at}].uid`) };
  });
}

const lastOf = (field: string) => field.slice(field.lastIndexOf('.') + 1);
