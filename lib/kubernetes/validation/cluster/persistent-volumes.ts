import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  validateNodeSelector,
} from '../../../selectors/index.ts';
import { child, forbidden, invalid, key, notSupported, required } from '../../field-errors/index.ts';
import { accessModes, volumeMode } from '../claims.ts';
import { nanosOf, noBacksteps } from '../containers/index.ts';
import { driverName } from '../drivers.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { goAmounts } from '../go-values.ts';
import { entriesOf, isThere, textOf, textsOf } from '../reading.ts';
import {
  cinder,
  hostPath,
  initiator,
  iscsi,
  isLongPortal,
  LONG_PORTAL,
  needs,
  networkFiles,
  SHARED_SOURCES,
  type Source,
  storageOs,
} from '../volumes/index.ts';
import { immutable } from './classes.ts';

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

/** The sources of volumes, in the order in which Kubernetes checks them. */
const SOURCES: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['hostPath', hostPath],
  ['gcePersistentDisk', SHARED_SOURCES.gcePersistentDisk],
  ['awsElasticBlockStore', SHARED_SOURCES.awsElasticBlockStore],
  ['glusterfs', glusterFiles],
  ['flocker', SHARED_SOURCES.flocker],
  ['nfs', networkFiles],
  ['rbd', SHARED_SOURCES.rbd],
  ['quobyte', SHARED_SOURCES.quobyte],
  ['cephfs', SHARED_SOURCES.cephfs],
  ['iscsi', iscsiDisk],
  ['cinder', (path, source) => cinder(path, source, 'namespace')],
  ['fc', SHARED_SOURCES.fc],
  ['flexVolume', SHARED_SOURCES.flexVolume],
  ['azureFile', azureFile],
  ['vsphereVolume', SHARED_SOURCES.vsphereVolume],
  ['photonPersistentDisk', SHARED_SOURCES.photonPersistentDisk],
  ['portworxVolume', SHARED_SOURCES.portworxVolume],
  ['azureDisk', SHARED_SOURCES.azureDisk],
  ['scaleIO', SHARED_SOURCES.scaleIO],
  ['local', localVolume],
  ['storageos', (path, source) => storageOs(path, source, 'namespace')],
  ['csi', driverVolume],
]);

export function* persistentVolume({ metadata, spec: given }: JsonObject): Errors {
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
  const portal = objectAt(spec.iscsi);
  if (isLongPortal(textOf(objectAt(metadata).name), portal)) {
    yield invalid('spec.iscsi.targetportal', textOf(portal.targetPortal), LONG_PORTAL);
  }
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

/** Checks the capacity, which may only contain storage. */
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
  yield* check(child('spec', name === 'gcePersistentDisk' ? 'persistentDisk' : name), objectAt(spec[name]));
  for (const [other] of more) {
    yield forbidden(child('spec', other), 'may not specify more than 1 volume type');
  }
}

function* glusterFiles(path: string, source: JsonObject): Errors {
  yield* needs('endpoints', 'path')(path, source);
  if (!isThere(source.endpointsNamespace)) return;
  const [own, namespace] = [child(path, 'endpointsNamespace'), textOf(source.endpointsNamespace)];
  if (namespace === '') {
    yield invalid(own, '', 'if the endpointnamespace is set, it must be a valid namespace name');
  } else {
    yield* invalidFor(own, namespace, dns1123LabelErrors(namespace));
  }
}

function* azureFile(path: string, source: JsonObject): Errors {
  yield* needs('secretName', 'shareName')(path, source);
  if (isThere(source.secretNamespace)) yield* needs('secretNamespace')(path, source);
}

function* iscsiDisk(path: string, source: JsonObject): Errors {
  const options = { unknown: 'must be valid format' };
  yield* iscsi(path, source, options);
  if (isThere(source.secretRef)) yield* needs('name')(child(path, 'secretRef'), objectAt(source.secretRef));
  yield* initiator(path, source, options);
}

function* localVolume(path: string, { path: within }: JsonObject): Errors {
  if (textOf(within) === '') {
    yield required(child(path, 'path'));
  } else {
    yield* noBacksteps(child(path, 'path'), textOf(within));
  }
}

const DRIVER_SECRETS = ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand'];

function* driverVolume(path: string, source: JsonObject): Errors {
  yield* driverName(child(path, 'driver'), textOf(source.driver));
  yield* needs('volumeHandle')(path, source);
  for (const name of DRIVER_SECRETS.map((what) => `${what}SecretRef`)) {
    if (isThere(source[name])) yield* needs('name', 'namespace')(child(path, name), objectAt(source[name]));
  }
}

/** Checks the update of a volume. Its source is immutable; its node affinity may be set once. */
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

/** Removes the secret for expansion, unless it was set before. It may be set later. */
function withoutExpansion(value: JsonValue | undefined, before: JsonValue | undefined): JsonValue {
  if (!isThere(value)) return null;
  const { controllerExpandSecretRef, ...rest } = objectAt(value);
  if (controllerExpandSecretRef === undefined) return value;
  return isThere(objectAt(before).controllerExpandSecretRef) ? value : rest;
}
