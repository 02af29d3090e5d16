import { dns1123LabelErrors, type FieldError } from '../../selectors/index.ts';
import { type JsonObject, type JsonValue, objectAt } from '../../store/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  notSupported,
  required,
} from '../field-errors/index.ts';
import { claimSpec } from './claims.ts';
import {
  descendingPath,
  fieldReference,
  nanosOf,
  noBacksteps,
  resourceReference,
  VOLUME_FIELDS,
  type Volumes,
} from './containers/index.ts';
import { type Errors, invalidFor } from './errors.ts';
import { isThere, numberOf, objectsOf, textOf } from './reading.ts';

const MOST_MODE = 0o777;
const BAD_MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
const PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

type Source = (path: string, source: JsonObject) => Errors;

/** What a volume may come from, in the order in which Kubernetes looks. */
const SOURCES: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['emptyDir', emptyDirectory],
  ['hostPath', hostPath],
  ['gitRepo', needs('repository')],
  ['gcePersistentDisk', needs('pdName')],
  ['awsElasticBlockStore', needs('volumeID')],
  ['secret', (path, source) => files(path, source, 'secretName')],
  ['nfs', networkFiles],
  ['iscsi', needs('targetPortal', 'iqn')],
  ['glusterfs', needs('endpoints', 'path')],
  ['persistentVolumeClaim', needs('claimName')],
  ['rbd', needs('image')],
  ['cinder', needs('volumeID')],
  ['cephfs', nothing],
  ['downwardAPI', downwardFiles],
  ['fc', nothing],
  ['flexVolume', needs('driver')],
  ['configMap', (path, source) => files(path, source, 'name')],
  ['azureFile', needs('secretName', 'shareName')],
  ['vsphereVolume', needs('volumePath')],
  ['portworxVolume', needs('volumeID')],
  ['azureDisk', needs('diskName', 'diskURI')],
  ['storageos', nothing],
  ['projected', projected],
  ['scaleIO', needs('gateway', 'system', 'volumeName')],
  ['csi', needs('driver')],
  ['ephemeral', ephemeral],
  ['image', needs('reference')],
]);

/** A pod's volumes: what is wrong with them, and those that are good. */
export function readVolumes(
  path: string,
  value: JsonValue | undefined,
): { errors: FieldError[]; volumes: Volumes } {
  const errors: FieldError[] = [];
  const volumes = new Map<string, JsonObject>();
  for (const [at, volume] of objectsOf(value).entries()) {
    const own = index(path, at);
    const name = textOf(volume.name);
    const found = [...volumeSource(own, volume), ...nameErrors(own, name)];
    if (volumes.has(name)) found.push(duplicate(child(own, 'name'), name));
    if (found.length === 0) volumes.set(name, volume);
    errors.push(...found);
  }
  return { errors, volumes };
}

function* nameErrors(path: string, name: string): Errors {
  if (name === '') {
    yield required(child(path, 'name'));
  } else {
    yield* invalidFor(child(path, 'name'), name, dns1123LabelErrors(name));
  }
}

/** Exactly one of the sources. */
export function* volumeSource(path: string, volume: JsonObject): Errors {
  const [first, ...more] = [...SOURCES].filter(([name]) => isThere(volume[name]));
  if (first === undefined) {
    yield required(path, 'must specify a volume type');
    return;
  }
  const [name, check] = first;
  yield* check(child(path, name), objectAt(volume[name]));
  for (const [other] of more) yield forbidden(child(path, other), 'may not specify more than 1 volume type');
}

export function needs(...fields: readonly string[]): Source {
  return function* (path, source) {
    for (const field of fields) if (textOf(source[field]) === '') yield required(child(path, field));
  };
}

function* nothing(): Errors {}

function* emptyDirectory(path: string, { sizeLimit }: JsonObject): Errors {
  if (nanosOf(sizeLimit) < 0n) {
    yield forbidden(child(path, 'sizeLimit'), 'SizeLimit field must be a valid resource quantity');
  }
}

export function* hostPath(path: string, source: JsonObject): Errors {
  if (textOf(source.path) === '') {
    yield required(child(path, 'path'));
    return;
  }
  yield* noBacksteps(child(path, 'path'), textOf(source.path));
  const type = textOf(source.type);
  if (!PATH_TYPES.includes(type)) yield notSupported(child(path, 'type'), type, PATH_TYPES);
}

export function* networkFiles(path: string, { server, path: within }: JsonObject): Errors {
  if (textOf(server) === '') yield required(child(path, 'server'));
  if (textOf(within) === '') yield required(child(path, 'path'));
  if (!textOf(within).startsWith('/')) {
    yield invalid(child(path, 'path'), textOf(within), 'must be an absolute path');
  }
}

function* files(path: string, source: JsonObject, nameField: string): Errors {
  if (textOf(source[nameField]) === '') yield required(child(path, nameField));
  yield* mode(child(path, 'defaultMode'), source.defaultMode);
  yield* items(child(path, 'items'), source.items);
}

function* items(path: string, value: JsonValue | undefined): Errors {
  for (const [at, item] of objectsOf(value).entries()) {
    const own = index(path, at);
    if (textOf(item.key) === '') yield required(child(own, 'key'));
    if (textOf(item.path) === '') yield required(child(own, 'path'));
    yield* localPath(child(own, 'path'), textOf(item.path));
    yield* mode(child(own, 'mode'), item.mode);
  }
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

function* downwardFiles(path: string, source: JsonObject): Errors {
  yield* mode(child(path, 'defaultMode'), source.defaultMode);
  for (const file of objectsOf(source.items)) yield* downwardFile(path, file);
}

/** Kubernetes names the volume, not the file. */
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

const PROJECTIONS = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle'];
const SHORTEST_TOKEN_SECONDS = 600;

function* projected(path: string, source: JsonObject): Errors {
  yield* mode(child(path, 'defaultMode'), source.defaultMode);
  for (const [at, one] of objectsOf(source.sources).entries()) {
    const own = index(child(path, 'sources'), at);
    for (const name of ['secret', 'configMap']) {
      if (isThere(one[name])) yield* files(child(own, name), objectAt(one[name]), 'name');
    }
    for (const file of objectsOf(objectAt(one.downwardAPI).items)) {
      yield* downwardFile(child(own, 'downwardAPI'), file);
    }
    if (isThere(one.serviceAccountToken)) yield* token(path, own, objectAt(one.serviceAccountToken));
    if (PROJECTIONS.filter((name) => isThere(one[name])).length > 1) {
      yield forbidden(own, 'may not specify more than 1 volume type per source');
    }
  }
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

function* ephemeral(path: string, { volumeClaimTemplate }: JsonObject): Errors {
  const own = child(path, 'volumeClaimTemplate');
  if (!isThere(volumeClaimTemplate)) {
    yield required(own);
  } else {
    yield* claimSpec(child(own, 'spec'), objectAt(objectAt(volumeClaimTemplate).spec));
  }
}
