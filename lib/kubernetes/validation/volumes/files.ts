import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { child, forbidden, index, invalid, required } from '../../field-errors/index.ts';
import { descendingPath, fieldReference, resourceReference, VOLUME_FIELDS } from '../containers/index.ts';
import type { Errors } from '../errors.ts';
import { isThere, numberOf, objectsOf, textOf } from '../reading.ts';

const MOST_MODE = 0o777;
const BAD_MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
const PROJECTIONS = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle'];
const SHORTEST_TOKEN_SECONDS = 600;
const CONFLICTING = 'conflicting duplicate paths';

/** Checks the keys of a Secret or ConfigMap as files. */
export function* files(path: string, source: JsonObject, nameField: string): Errors {
  if (textOf(source[nameField]) === '') yield required(child(path, nameField));
  yield* mode(child(path, 'defaultMode'), source.defaultMode);
  for (const [at, item] of objectsOf(source.items).entries()) {
    yield* keyedFile(index(child(path, 'items'), at), item);
  }
}

function* keyedFile(path: string, item: JsonObject): Errors {
  if (textOf(item.key) === '') yield required(child(path, 'key'));
  if (textOf(item.path) === '') yield required(child(path, 'path'));
  yield* localPath(child(path, 'path'), textOf(item.path));
  yield* mode(child(path, 'mode'), item.mode);
}

function* localPath(path: string, value: string): Errors {
  yield* descendingPath(path, value);
  if (value.startsWith('..') && !value.startsWith('../')) {
    yield invalid(path, value, "must not start with '..'");
  }
}

function* mode(path: string, value: JsonValue | undefined): Errors {
  if (isThere(value) && (numberOf(value) < 0 || numberOf(value) > MOST_MODE)) {
    yield invalid(path, value, BAD_MODE);
  }
}

/** Checks fields of the pod as files. */
export function* downwardFiles(path: string, source: JsonObject): Errors {
  yield* mode(child(path, 'defaultMode'), source.defaultMode);
  for (const file of objectsOf(source.items)) yield* downwardFile(path, file);
}

/** Checks one file. Kubernetes reports errors at the volume, not at the file. */
function* downwardFile(path: string, file: JsonObject): Errors {
  if (textOf(file.path) === '') yield required(child(path, 'path'));
  yield* localPath(child(path, 'path'), textOf(file.path));
  if (isThere(file.fieldRef)) {
    yield* fieldReference(child(path, 'fieldRef'), objectAt(file.fieldRef), VOLUME_FIELDS);
    if (isThere(file.resourceFieldRef)) {
      yield invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (isThere(file.resourceFieldRef)) {
    const reference = objectAt(file.resourceFieldRef);
    const own = child(path, 'resourceFieldRef');
    if (textOf(reference.containerName) === '') {
      yield required(child(own, 'containerName'));
    } else {
      yield* resourceReference(own, reference);
    }
  } else {
    yield required(path, 'one of fieldRef and resourceFieldRef is required');
  }
  yield* mode(child(path, 'mode'), file.mode);
}

/**
 * Checks several sources in one directory. For two files with the same path, Kubernetes reports the source of the
 * second.
 */
export function* projected(path: string, source: JsonObject): Errors {
  yield* mode(child(path, 'defaultMode'), source.defaultMode);
  const taken = new Set<string>();
  for (const [at, one] of objectsOf(source.sources).entries()) {
    const own = index(child(path, 'sources'), at);
    for (const name of ['secret', 'configMap']) {
      const projection = { source: objectAt(one[name]), taken };
      if (isThere(one[name])) yield* projectedKeys(path, child(own, name), projection);
    }
    for (const file of objectsOf(objectAt(one.downwardAPI).items)) {
      yield* downwardFile(child(own, 'downwardAPI'), file);
      if (isTaken(taken, file)) yield invalid(path, textOf(file.path), CONFLICTING);
    }
    if (isThere(one.serviceAccountToken)) yield* token(path, own, objectAt(one.serviceAccountToken));
    if (PROJECTIONS.filter((name) => isThere(one[name])).length > 1) {
      yield forbidden(own, 'may not specify more than 1 volume type per source');
    }
  }
}

interface Projection {
  readonly source: JsonObject;
  readonly taken: Set<string>;
}

function* projectedKeys(path: string, own: string, { source, taken }: Projection): Errors {
  if (textOf(source.name) === '') yield required(child(own, 'name'));
  for (const [at, item] of objectsOf(source.items).entries()) {
    yield* keyedFile(index(child(own, 'items'), at), item);
    if (isTaken(taken, item)) yield invalid(path, textOf(source.name), CONFLICTING);
  }
}

function isTaken(taken: Set<string>, { path }: JsonObject): boolean {
  const at = textOf(path);
  const before = taken.has(at);
  if (at !== '') taken.add(at);
  return before;
}

function* token(path: string, own: string, source: JsonObject): Errors {
  const seconds = numberOf(source.expirationSeconds);
  const field = child(child(own, 'serviceAccountToken'), 'expirationSeconds');
  if (seconds < SHORTEST_TOKEN_SECONDS) {
    yield invalid(field, seconds, 'may not specify a duration less than 10 minutes');
  }
  if (seconds > 2 ** 32) yield invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds');
  if (textOf(source.path) === '') {
    yield required(child(path, 'path'));
  } else {
    yield* localPath(child(path, 'path'), textOf(source.path));
  }
}
