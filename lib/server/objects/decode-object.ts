import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { badRequest } from '../status/index.ts';
import { dropNulls, typeName } from './json-values.ts';

/** The checks of the types of metadata fields. Labels and annotations are maps of strings. */
const METADATA: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ...['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'selfLink'].map(
    (field) => [field, isString] as const,
  ),
  ...['creationTimestamp', 'deletionTimestamp'].map((field) => [field, isString] as const),
  ...['generation', 'deletionGracePeriodSeconds'].map((field) => [field, Number.isSafeInteger] as const),
  ...['labels', 'annotations'].map((field) => [field, isStringMap] as const),
  ['finalizers', (value) => Array.isArray(value) && value.every(isString)],
  ['ownerReferences', (value) => Array.isArray(value) && value.every(isJsonObject)],
]);

const JSON_TYPES: ReadonlyMap<JsonValue | undefined, (value: JsonValue) => boolean> = new Map([
  ['object', isJsonObject],
  ['array', (value) => Array.isArray(value)],
  ['string', isString],
  ['boolean', (value) => typeof value === 'boolean'],
  ['integer', Number.isSafeInteger],
]);

/**
 * An object of `type`, decoded: apiVersion and kind come first (from the URL if the body has none), maps have no nulls,
 * metadata has the right shape, and the namespace is that of the URL.
 * @throws ApiError 400 the value does not decode, is of another type, or belongs to another namespace
 */
export function decodeObject(value: JsonValue, type: ResourceType, namespace: string): JsonObject {
  const body = dropNulls(value);
  if (!isJsonObject(body)) throw undecodable(type, `cannot unmarshal ${typeName(body)} into an object`);
  const { apiVersion: _apiVersion, kind: _kind, metadata = {}, ...rest } = body;
  refuseOtherType(body, type);
  refuseShapes(type, rest);
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: inNamespace(decodeMetadata(metadata, type), namespace),
    ...rest,
  };
}

/** The error of a body that does not fit its type, in the words of upstream's decoder. */
export function undecodable({ kind, version }: ResourceType, why: string): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: json: ${why}`);
}

/** Refuses a body of another type than that of the URL. @throws ApiError 400 */
export function refuseOtherType({ apiVersion, kind }: JsonObject, type: ResourceType): void {
  const expected = apiVersionOf(type);
  if (apiVersion !== undefined && apiVersion !== '' && apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${show(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== undefined && kind !== '' && kind !== type.kind) {
    throw badRequest(
      `${show(kind)} in version "${type.version}" cannot be handled as a ${type.kind}: the kind in the data (${show(kind)}) does not match the expected kind (${type.kind})`,
    );
  }
}

/** Checks the types of top-level fields against the schema. The content of these fields is not checked. */
function refuseShapes(type: ResourceType, fields: JsonObject): void {
  for (const [field, value] of Object.entries(fields)) {
    const schema = Object.hasOwn(type.properties, field) ? type.properties[field] : undefined;
    const fits = JSON_TYPES.get(schema?.type);
    if (fits !== undefined && !fits(value)) {
      throw undecodable(type, `cannot unmarshal ${typeName(value)} into ${type.kind}.${field}`);
    }
  }
}

function decodeMetadata(metadata: JsonValue, type: ResourceType): JsonObject {
  if (!isJsonObject(metadata)) {
    throw undecodable(type, `cannot unmarshal ${typeName(metadata)} into ${type.kind}.metadata`);
  }
  for (const [field, value] of Object.entries(metadata)) {
    const fits = METADATA.get(field);
    if (fits !== undefined && !fits(value)) {
      throw undecodable(type, `cannot unmarshal ${culprit(value)} into ObjectMeta.metadata.${field}`);
    }
  }
  return metadata;
}

/**
 * The metadata with the namespace of the URL. Clients may omit the namespace.
 * @throws ApiError 400 the body names another namespace
 */
export function inNamespace(metadata: JsonObject, namespace: string): JsonObject {
  const { namespace: own = '', ...rest } = metadata;
  if (namespace === '') return rest;
  if (own !== '' && own !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return { ...rest, namespace };
}

/** The type of the first value inside that is not a string, or of the value itself. */
function culprit(value: JsonValue): string {
  const members = isJsonObject(value) ? Object.values(value) : Array.isArray(value) ? value : [];
  const wrong = members.find((member) => !isString(member));
  return typeName(wrong ?? value);
}

function show(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isString(value: JsonValue): boolean {
  return typeof value === 'string';
}

function isStringMap(value: JsonValue): boolean {
  return isJsonObject(value) && Object.values(value).every(isString);
}
