import type { FieldError } from '../../selectors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../store/index.ts';
import type { TypeRules } from './type-rules.ts';

const LONGEST_KEY = 253;
const KEY_PATTERN = '[-._a-zA-Z0-9]+';

/** `stringData` is written into `data`; the type cannot change; `immutable` holds. */
export const secretRules: TypeRules = {
  read: withStringData,
  prepare: withStringData,
  validate: (body, old) => [
    ...keyErrors(body, 'data'),
    ...(old !== undefined && body.type !== old.type
      ? [{ type: 'Invalid', field: 'type', value: body.type, detail: 'field is immutable' } as const]
      : []),
    ...immutableErrors(body, old, ['data']),
  ],
};

/** `data` and `binaryData` share one set of keys; `immutable` holds. */
export const configMapRules: TypeRules = {
  validate: (body, old) => [
    ...keyErrors(body, 'data'),
    ...keyErrors(body, 'binaryData'),
    ...duplicateErrors(body),
    ...immutableErrors(body, old, ['data', 'binaryData']),
  ],
};

function withStringData({ stringData, data, type = 'Opaque', ...rest }: JsonObject): JsonObject {
  const written = isJsonObject(stringData) ? Object.entries(stringData).map(encodeEntry) : [];
  const kept = isJsonObject(data) ? Object.entries(data) : [];
  const all = Object.fromEntries([...kept, ...written]);
  return { ...rest, ...(Object.keys(all).length === 0 ? {} : { data: all }), type };
}

function encodeEntry([key, value]: [string, JsonValue]): [string, JsonValue] {
  return [key, Buffer.from(String(value)).toString('base64')];
}

function keysOf(body: JsonObject, field: string): string[] {
  const map = body[field];
  return isJsonObject(map) ? Object.keys(map) : [];
}

function keyErrors(body: JsonObject, field: string): FieldError[] {
  return keysOf(body, field).flatMap((key) =>
    dataKeyErrors(key).map((detail) => ({
      type: 'Invalid' as const,
      field: `${field}[${key}]`,
      value: key,
      detail,
    })),
  );
}

/** What is wrong with a key of a ConfigMap or Secret: it becomes a file's name in a pod. */
function dataKeyErrors(key: string): string[] {
  const errors = key.length > LONGEST_KEY ? [`must be no more than ${LONGEST_KEY} characters`] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    errors.push(
      `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name', or 'KEY_NAME', or 'key-name', regex used for validation is '${KEY_PATTERN}')`,
    );
  }
  if (key === '.' || key === '..') {
    errors.push(`must not be '${key}'`);
  } else if (key.startsWith('..')) {
    errors.push("must not start with '..'");
  }
  return errors;
}

function duplicateErrors(body: JsonObject): FieldError[] {
  const binary = new Set(keysOf(body, 'binaryData'));
  return keysOf(body, 'data')
    .filter((key) => binary.has(key))
    .map((key) => ({
      type: 'Invalid',
      field: `data[${key}]`,
      value: key,
      detail: 'duplicate of key present in binaryData',
    }));
}

function immutableErrors(
  body: JsonObject,
  old: JsonObject | undefined,
  fields: readonly string[],
): FieldError[] {
  if (old?.immutable !== true) return [];
  const changed = fields.filter((field) => !jsonEquals(body[field] ?? {}, old[field] ?? {}));
  const frozen = body.immutable === true ? changed : ['immutable', ...changed];
  return frozen.map((field) => ({
    type: 'Forbidden',
    field,
    detail: 'field is immutable when `immutable` is set',
  }));
}
