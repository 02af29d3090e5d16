import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { dns1123LabelErrors, type FieldError } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { claimSpec } from '../claims.ts';
import { nanosOf, noBacksteps, type Volumes } from '../containers/index.ts';
import { type Errors, invalidFor, oneOf } from '../errors.ts';
import { isThere, objectsOf, textOf } from '../reading.ts';
import { downwardFiles, files, projected } from './files.ts';
import {
  cinder,
  driverSource,
  gitRepository,
  initiator,
  iscsi,
  isLongPortal,
  LONG_PORTAL,
  needs,
  SHARED_SOURCES,
  type Source,
  storageOs,
} from './sources.ts';

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

/** The sources of volumes, in the order in which Kubernetes checks them. */
const SOURCES: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['emptyDir', emptyDirectory],
  ['hostPath', hostPath],
  ['gitRepo', gitRepository],
  ['gcePersistentDisk', SHARED_SOURCES.gcePersistentDisk],
  ['awsElasticBlockStore', SHARED_SOURCES.awsElasticBlockStore],
  ['secret', (path, source) => files(path, source, 'secretName')],
  ['nfs', networkFiles],
  ['iscsi', iscsiDisk],
  ['glusterfs', needs('endpoints', 'path')],
  ['flocker', SHARED_SOURCES.flocker],
  ['persistentVolumeClaim', needs('claimName')],
  ['rbd', SHARED_SOURCES.rbd],
  ['cinder', cinder],
  ['cephfs', SHARED_SOURCES.cephfs],
  ['quobyte', SHARED_SOURCES.quobyte],
  ['downwardAPI', downwardFiles],
  ['fc', SHARED_SOURCES.fc],
  ['flexVolume', SHARED_SOURCES.flexVolume],
  ['configMap', (path, source) => files(path, source, 'name')],
  ['azureFile', needs('secretName', 'shareName')],
  ['vsphereVolume', SHARED_SOURCES.vsphereVolume],
  ['photonPersistentDisk', SHARED_SOURCES.photonPersistentDisk],
  ['portworxVolume', SHARED_SOURCES.portworxVolume],
  ['azureDisk', SHARED_SOURCES.azureDisk],
  ['storageos', storageOs],
  ['projected', projected],
  ['scaleIO', SHARED_SOURCES.scaleIO],
  ['csi', driverSource],
  ['ephemeral', ephemeral],
  ['image', image],
]);
/** The names of some sources in Kubernetes' errors. */
const SHOWN: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const SHOWN_AMONG_MORE: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** Returns the errors in a pod's volumes, and the valid volumes. */
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

/** Checks that a volume has exactly one source. */
export function* volumeSource(path: string, volume: JsonObject): Errors {
  const [first, ...more] = [...SOURCES].filter(([name]) => isThere(volume[name]));
  if (first === undefined) {
    yield required(path, 'must specify a volume type');
    return;
  }
  const [name, check] = first;
  yield* check(child(path, SHOWN[name] ?? name), objectAt(volume[name]));
  for (const [other] of more) {
    const shown = SHOWN_AMONG_MORE[other] ?? other;
    yield forbidden(child(path, shown), 'may not specify more than 1 volume type');
  }
  if (isLongPortal(textOf(volume.name), objectAt(volume.iscsi))) {
    yield invalid(child(path, 'name'), textOf(volume.name), LONG_PORTAL);
  }
}

function* iscsiDisk(path: string, source: JsonObject): Errors {
  const options = { unknown: 'must be valid format starting with iqn, eui, or naa' };
  yield* iscsi(path, source, options);
  yield* initiator(path, source, options);
}

const PULLS = ['Always', 'IfNotPresent', 'Never'];

function* image(path: string, source: JsonObject): Errors {
  yield* needs('reference')(path, source);
  yield* oneOf(child(path, 'pullPolicy'), source.pullPolicy, PULLS);
}

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

function* ephemeral(path: string, { volumeClaimTemplate }: JsonObject): Errors {
  const own = child(path, 'volumeClaimTemplate');
  if (!isThere(volumeClaimTemplate)) {
    yield required(own);
  } else {
    yield* claimSpec(child(own, 'spec'), objectAt(objectAt(volumeClaimTemplate).spec));
  }
}
