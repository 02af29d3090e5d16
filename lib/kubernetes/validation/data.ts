import { isJsonObject, type JsonObject, type JsonValue, jsonEquals, metadataOf } from '../../json/index.ts';
import { patternError } from '../../selectors/index.ts';
import { EncodingError, parseJson } from '../encodings/index.ts';
import { forbidden, invalid, key, required, tooLong } from '../field-errors/index.ts';
import { type Errors, invalidFor } from './errors.ts';
import { entriesOf, textOf } from './reading.ts';

const LONGEST_KEY = 253;
/** The limit in bytes for all values of a ConfigMap or a Secret together. */
const MOST_BYTES = 1024 * 1024;
const NO_KEY = patternError({
  rule: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  pattern: '[-._a-zA-Z0-9]+',
  examples: ['key.name', 'KEY_NAME', 'key-name'],
});
const SERVICE_ACCOUNT = 'kubernetes.io/service-account.name';

/** Returns the errors in a key of a ConfigMap or Secret. A key becomes a file name in a pod. */
export function dataKeyErrors(name: string): string[] {
  return [
    ...(name.length > LONGEST_KEY ? [`must be no more than ${LONGEST_KEY} characters`] : []),
    ...(/^[-._a-zA-Z0-9]+$/.test(name) ? [] : [NO_KEY]),
    ...upwards(name),
  ];
}

function upwards(name: string): string[] {
  if (name === '.' || name === '..') return [`must not be '${name}'`];
  return name.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Checks a ConfigMap. `data` and `binaryData` share one set of keys. */
export function* configMap({ data, binaryData }: JsonObject): Errors {
  const binary = entriesOf(binaryData);
  const names = new Set(binary.map(([name]) => name));
  for (const [name] of entriesOf(data)) {
    yield* invalidFor(key('data', name), name, dataKeyErrors(name));
    if (names.has(name)) yield invalid(key('data', name), name, 'duplicate of key present in binaryData');
  }
  for (const [name] of binary) yield* invalidFor(key('binaryData', name), name, dataKeyErrors(name));
  const bytes = sum(entriesOf(data), Buffer.byteLength) + sum(binary, decodedBytes);
  if (bytes > MOST_BYTES) yield tooLong('[]', MOST_BYTES);
}

export function* configMapUpdate(body: JsonObject, old: JsonObject): Errors {
  yield* unchanged(body, old, ['data', 'binaryData']);
}

/** Checks a Secret. Each type of Secret has required keys. */
export function* secret(body: JsonObject): Errors {
  const entries = entriesOf(body.data);
  for (const [name] of entries) yield* invalidFor(key('data', name), name, dataKeyErrors(name));
  if (sum(entries, decodedBytes) > MOST_BYTES) yield tooLong('data', MOST_BYTES);
  yield* secretOfType(body);
}

export function* secretUpdate(body: JsonObject, old: JsonObject): Errors {
  if (body.type !== old.type) yield invalid('type', body.type ?? '', 'field is immutable');
  yield* unchanged(body, old, ['data']);
}

function* secretOfType(body: JsonObject): Errors {
  const data = isJsonObject(body.data) ? body.data : {};
  const missing = (name: string) => !Object.hasOwn(data, name);
  switch (body.type) {
    case 'kubernetes.io/service-account-token': {
      const account = entriesOf(metadataOf(body).annotations).find(([name]) => name === SERVICE_ACCOUNT);
      if ((account?.[1] ?? '') === '') yield required(key('metadata.annotations', SERVICE_ACCOUNT));
      break;
    }
    case 'kubernetes.io/dockercfg':
      yield* dockerFile('.dockercfg', data);
      break;
    case 'kubernetes.io/dockerconfigjson':
      yield* dockerFile('.dockerconfigjson', data);
      break;
    case 'kubernetes.io/basic-auth':
      if (missing('username') && missing('password')) {
        yield required(key('data', 'username'));
        yield required(key('data', 'password'));
      }
      break;
    case 'kubernetes.io/ssh-auth':
      if (decodedBytes(textOf(data['ssh-privatekey'])) === 0) yield required(key('data', 'ssh-privatekey'));
      break;
    case 'kubernetes.io/tls':
      for (const name of ['tls.crt', 'tls.key']) if (missing(name)) yield required(key('data', name));
      break;
    default:
  }
}

/** Checks a Docker configuration. Errors never show its content. */
function* dockerFile(name: string, data: JsonObject): Errors {
  const encoded = data[name];
  if (typeof encoded !== 'string') {
    yield required(key('data', name));
    return;
  }
  const error = configError(Buffer.from(encoded, 'base64'));
  if (error !== undefined) yield invalid(key('data', name), '<secret contents redacted>', error);
}

/** Returns the reason why a file is not a JSON object, in Go's words. Null is accepted. */
function configError(file: Buffer): string | undefined {
  try {
    const { value } = parseJson(file);
    if (value === null || isJsonObject(value)) return undefined;
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof EncodingError) return error.message;
    throw error;
  }
}

function* unchanged(body: JsonObject, old: JsonObject, fields: readonly string[]): Errors {
  if (old.immutable !== true) return;
  const detail = 'field is immutable when `immutable` is set';
  if (body.immutable !== true) yield forbidden('immutable', detail);
  for (const field of fields) {
    if (!jsonEquals(entries(body[field]), entries(old[field]))) yield forbidden(field, detail);
  }
}

function entries(value: JsonValue | undefined): JsonValue {
  return value ?? {};
}

function decodedBytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

function sum(all: readonly (readonly [string, string])[], bytesOf: (text: string) => number): number {
  return all.reduce((total, [, text]) => total + bytesOf(text), 0);
}
