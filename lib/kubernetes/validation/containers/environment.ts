import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { dns1123SubdomainErrors, labelKeyErrors } from '../../../selectors/index.ts';
import { child, index, invalid, notSupported, required } from '../../field-errors/index.ts';
import { dataKeyErrors } from '../data.ts';
import { type Errors, invalidFor, subdomain } from '../errors.ts';
import { isThere, objectsOf, textOf } from '../reading.ts';

const PRINTABLE = /^[\x20-\x3c\x3e-\x7e]*$/;
const NO_NAME =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'] as const;
const SHARED_FIELDS = ['metadata.name', 'metadata.namespace', 'metadata.uid'];
/** The pod fields that an environment variable can reference. */
const FIELDS: readonly string[] = [
  ...SHARED_FIELDS,
  ...['spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
];
/** The pod fields that a file of a volume can reference. */
export const VOLUME_FIELDS: readonly string[] = ['metadata.annotations', 'metadata.labels', ...SHARED_FIELDS];
/** The pod fields that exist, whether they can be referenced or not. */
const KNOWN: ReadonlySet<string> = new Set([
  ...FIELDS,
  ...VOLUME_FIELDS,
  ...['spec.restartPolicy', 'spec.schedulerName', 'status.phase'],
]);
const AMOUNTS = ['limits', 'requests'].flatMap((kind) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((resource) => `${kind}.${resource}`),
);

/** Checks the environment variables of a container. */
export function* environment(path: string, value: JsonValue | undefined): Errors {
  for (const [at, variable] of objectsOf(value).entries()) {
    const own = index(path, at);
    const name = textOf(variable.name);
    if (name === '') {
      yield required(child(own, 'name'));
    } else if (!PRINTABLE.test(name)) {
      yield invalid(child(own, 'name'), name, NO_NAME);
    }
    if (isThere(variable.valueFrom)) yield* valueFrom(child(own, 'valueFrom'), variable);
  }
}

function* valueFrom(path: string, variable: JsonObject): Errors {
  const source = objectAt(variable.valueFrom);
  const given = SOURCES.filter((name) => isThere(source[name]));
  for (const name of given) {
    const own = child(path, name);
    const reference = objectAt(source[name]);
    if (name === 'fieldRef') {
      yield* fieldReference(own, reference, FIELDS);
    } else if (name === 'resourceFieldRef') {
      yield* resourceReference(own, reference);
    } else {
      yield* keyReference(own, reference);
    }
  }
  if (given.length === 0) {
    const detail = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    yield invalid(path, '', detail);
  } else if (textOf(variable.value) !== '') {
    yield invalid(path, '', 'may not be specified when `value` is not empty');
  } else if (given.length > 1) {
    yield invalid(path, '', 'may not have more than one field specified at a time');
  }
}

/** Checks a reference to a pod field; `fields` can be referenced. */
export function* fieldReference(path: string, reference: JsonObject, fields: readonly string[]): Errors {
  const fieldPath = textOf(reference.fieldPath);
  const subscripted = /^([^[\]]*)\['(.*)'\]$/.exec(fieldPath);
  const own = child(path, 'fieldPath');
  const cannot = (why: string) => invalid(own, fieldPath, `error converting fieldPath: ${why}`);
  if (textOf(reference.apiVersion) === '') {
    yield required(child(path, 'apiVersion'));
  } else if (fieldPath === '') {
    yield required(own);
  } else if (reference.apiVersion !== 'v1') {
    yield cannot(`unsupported pod version: ${textOf(reference.apiVersion)}`);
  } else if (subscripted !== null) {
    const [, map = '', name = ''] = subscripted;
    if (map === 'metadata.annotations') {
      yield* invalidFor(path, name.toLowerCase(), labelKeyErrors(name.toLowerCase()));
    } else if (map === 'metadata.labels') {
      yield* invalidFor(path, name, labelKeyErrors(name));
    } else {
      yield cannot(`field label does not support subscript: ${fieldPath}`);
    }
  } else if (!KNOWN.has(fieldPath)) {
    yield cannot(`field label not supported: ${fieldPath}`);
  } else if (!fields.includes(fieldPath)) {
    yield notSupported(own, fieldPath, fields);
  }
}

/** Checks a reference to a request or limit of a container. */
export function* resourceReference(path: string, { resource, divisor }: JsonObject): Errors {
  const name = textOf(resource);
  if (name === '') {
    yield required(child(path, 'resource'));
  } else if (!AMOUNTS.includes(name) && !/^(limits|requests)\.hugepages-/.test(name)) {
    yield notSupported(child(path, 'resource'), name, AMOUNTS);
  }
  const kind = name.replace(/^(limits|requests)\./, '').replace(/^hugepages-.*/, 'hugepages');
  const units = kind === 'cpu' ? ['1m', '1'] : UNITS;
  if (!isThere(divisor) || divisor === '0' || units.includes(textOf(divisor)) || !(kind in MEASURED)) return;
  const detail = `only divisor's values ${units.join(kind === 'cpu' ? ' and ' : ', ')} are supported with the ${MEASURED[kind]} resource`;
  yield invalid(child(path, 'divisor'), name, detail);
}

const UNITS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
/** Kubernetes' names for resources with units. */
const MEASURED: Readonly<Record<string, string>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'local ephemeral storage',
  hugepages: 'hugepages',
};

function* keyReference(path: string, { name, key }: JsonObject): Errors {
  yield* subdomain(child(path, 'name'), textOf(name));
  if (textOf(key) === '') {
    yield required(child(path, 'key'));
  } else {
    yield* invalidFor(child(path, 'key'), textOf(key), dataKeyErrors(textOf(key)));
  }
}

/** Checks whole ConfigMaps and Secrets as environment variables. */
export function* environmentFrom(path: string, value: JsonValue | undefined): Errors {
  for (const [at, source] of objectsOf(value).entries()) {
    const own = index(path, at);
    const prefix = textOf(source.prefix);
    if (!PRINTABLE.test(prefix)) yield invalid(child(own, 'prefix'), prefix, NO_NAME);
    const given = ['configMapRef', 'secretRef'].filter((name) => isThere(source[name]));
    for (const one of given) {
      const name = textOf(objectAt(source[one]).name);
      const namePath = child(child(own, one), 'name');
      if (name === '') {
        yield required(namePath);
      } else {
        yield* invalidFor(namePath, name, dns1123SubdomainErrors(name));
      }
    }
    if (given.length === 0) yield invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (given.length > 1) yield invalid(path, '', 'may not have more than one field specified at a time');
  }
}
