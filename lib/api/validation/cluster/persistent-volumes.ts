import { dns1123SubdomainErrors, validateNodeSelector } from '../../../selectors/index.ts';
import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../store/index.ts';
import { child, forbidden, invalid, key, notSupported, required } from '../../field-errors/index.ts';
import { accessModes, volumeMode } from '../claims.ts';
import { nanosOf, noBacksteps } from '../containers/index.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { goAmounts } from '../go-values.ts';
import { entriesOf, isThere, textOf, textsOf } from '../reading.ts';
import { hostPath, needs, networkFiles } from '../volumes.ts';
import { immutable } from './classes.ts';
import { driverName } from './storage.ts';

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

type Source = (path: string, source: JsonObject) => Errors;

/** What a volume may be, in the order in which Kubernetes looks. */
const SOURCES: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['hostPath', hostPath],
  ['gcePersistentDisk', needs('pdName')],
  ['awsElasticBlockStore', needs('volumeID')],
  ['glusterfs', needs('endpoints', 'path')],
  ['flocker', nothing],
  ['nfs', networkFiles],
  ['rbd', needs('image')],
  ['quobyte', needs('registry', 'volume')],
  ['cephfs', nothing],
  ['iscsi', needs('targetPortal', 'iqn')],
  ['cinder', needs('volumeID')],
  ['fc', nothing],
  ['flexVolume', needs('driver')],
  ['azureFile', needs('secretName', 'shareName')],
  ['vsphereVolume', needs('volumePath')],
  ['photonPersistentDisk', needs('pdID')],
  ['portworxVolume', needs('volumeID')],
  ['azureDisk', needs('diskName', 'diskURI')],
  ['scaleIO', needs('gateway', 'system', 'volumeName')],
  ['local', localVolume],
  ['storageos', nothing],
  ['csi', driverVolume],
]);

export function* persistentVolume({ spec: given }: JsonObject): Errors {
  const spec = objectAt(given);
  const modes = textsOf(spec.accessModes);
  if (modes.length === 0) yield required('spec.accessModes');
  yield* accessModes('spec.accessModes', modes);
  yield* capacity(spec.capacity);
  const policy = textOf(spec.persistentVolumeReclaimPolicy);
  if (policy !== '' && !RECLAIM_POLICIES.includes(policy)) {
    yield notSupported('spec.persistentVolumeReclaimPolicy', policy, RECLAIM_POLICIES);
  }
  yield* nodeAffinity(spec.nodeAffinity);
  yield* source(spec);
  if (isThere(spec.local) && !isThere(spec.nodeAffinity)) {
    yield required('spec.nodeAffinity', 'Local volume requires node affinity');
  }
  const isRoot = isThere(spec.hostPath) && /^\/+$/.test(textOf(objectAt(spec.hostPath).path));
  if (isRoot && policy === 'Recycle') {
    yield forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'");
  }
  const name = textOf(spec.storageClassName);
  if (name !== '') yield* invalidFor('spec.storageClassName', name, dns1123SubdomainErrors(name));
  yield* volumeMode('spec.volumeMode', spec.volumeMode);
}

/** Storage, and nothing else. */
function* capacity(value: JsonValue | undefined): Errors {
  const amounts = entriesOf(value);
  if (amounts.length === 0) yield required('spec.capacity');
  if (amounts.length !== 1 || amounts[0]?.[0] !== 'storage') {
    const detail = `${goAmounts(value)}: supported values: "storage"`;
    yield { type: 'NotSupported', field: 'spec.capacity', detail };
  }
  for (const [name, amount] of amounts) {
    const own = key('spec.capacity', name);
    if (nanosOf(amount) < 0n) yield invalid(own, amount, 'must be a valid resource quantity');
    if (nanosOf(amount) <= 0n) yield invalid(own, amount, 'must be greater than zero');
  }
}

function* nodeAffinity(value: JsonValue | undefined): Errors {
  if (!isThere(value)) return;
  const { required: terms } = objectAt(value);
  if (isThere(terms)) {
    yield* validateNodeSelector(terms, 'spec.nodeAffinity.required');
  } else {
    yield required('spec.nodeAffinity.required', 'must specify required node constraints');
  }
}

function* source(spec: JsonObject): Errors {
  const [first, ...more] = [...SOURCES].filter(([name]) => isThere(spec[name]));
  if (first === undefined) {
    yield required('spec', 'must specify a volume type');
    return;
  }
  const [name, check] = first;
  yield* check(child('spec', name), objectAt(spec[name]));
  for (const [other] of more) {
    yield forbidden(child('spec', other), 'may not specify more than 1 volume type');
  }
}

function* nothing(): Errors {}

function* localVolume(path: string, { path: within }: JsonObject): Errors {
  if (textOf(within) === '') {
    yield required(child(path, 'path'));
  } else {
    yield* noBacksteps(child(path, 'path'), textOf(within));
  }
}

function* driverVolume(path: string, { driver, volumeHandle }: JsonObject): Errors {
  yield* driverName(child(path, 'driver'), textOf(driver));
  if (textOf(volumeHandle) === '') yield required(child(path, 'volumeHandle'));
}

/** What a volume is stays; which nodes reach it may be said once. */
export function* volumeUpdate(body: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  const isSame = [...SOURCES.keys()].every((name) =>
    jsonEquals(withoutExpansion(spec[name], before[name]), before[name] ?? null),
  );
  if (!isSame) {
    yield forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation');
  }
  yield* immutable('volumeMode', spec.volumeMode, before.volumeMode);
  if (isThere(before.nodeAffinity)) yield* immutable('nodeAffinity', spec.nodeAffinity, before.nodeAffinity);
}

/** Who may make a volume larger may be said later. */
function withoutExpansion(value: JsonValue | undefined, before: JsonValue | undefined): JsonValue {
  if (!isThere(value)) return null;
  const { controllerExpandSecretRef, ...rest } = objectAt(value);
  if (controllerExpandSecretRef === undefined) return value;
  return isThere(objectAt(before).controllerExpandSecretRef) ? value : rest;
}
