import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { dns1123LabelErrors } from '../../../selectors/index.ts';
import { child, invalid, key, notSupported, required } from '../../field-errors/index.ts';
import { descendingPath } from '../containers/index.ts';
import { driverName } from '../drivers.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { goTexts } from '../go-values.ts';
import { entriesOf, isThere, numberOf, textOf, textsOf } from '../reading.ts';

/** Yields the errors in one source of a volume. */
export type Source = (path: string, source: JsonObject) => Errors;

const MOST_PARTITIONS = 255;
const MOST_LUNS = 255;
const LONGEST_TENANT = 64;
const HOST_PORTS = 'must be a host:port pair or multiple pairs separated by commas';

/** Returns the rule of a source with required fields. */
export function needs(...fields: readonly string[]): Source {
  return function* (path, source) {
    for (const field of fields) if (textOf(source[field]) === '') yield required(child(path, field));
  };
}

/** The rules of sources that pods and persistent volumes share. */
export const SHARED_SOURCES = {
  gcePersistentDisk: (path, source) => disk(path, source, 'pdName'),
  awsElasticBlockStore: (path, source) => disk(path, source, 'volumeID'),
  flocker,
  rbd: (path, source) => monitored(path, source, 'image'),
  cephfs: (path, source) => monitored(path, source),
  quobyte,
  fc: fibreChannel,
  flexVolume,
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  scaleIO: needs('gateway', 'system', 'volumeName'),
} as const satisfies Readonly<Record<string, Source>>;

function* disk(path: string, source: JsonObject, name: string): Errors {
  if (textOf(source[name]) === '') yield required(child(path, name));
  const partition = numberOf(source.partition);
  if (partition < 0 || partition > MOST_PARTITIONS) {
    yield invalid(child(path, 'partition'), partition, `must be between 1 and ${MOST_PARTITIONS}, inclusive`);
  }
}

function* flocker(path: string, source: JsonObject): Errors {
  const [name, uuid] = [textOf(source.datasetName), textOf(source.datasetUUID)];
  if (name === '' && uuid === '') yield required(path, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') {
    yield invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (name.includes('/')) yield invalid(child(path, 'datasetName'), name, "must not contain '/'");
}

function* monitored(path: string, source: JsonObject, ...fields: readonly string[]): Errors {
  if (textsOf(source.monitors).length === 0) yield required(child(path, 'monitors'));
  yield* needs(...fields)(path, source);
}

function* quobyte(path: string, source: JsonObject): Errors {
  const registry = textOf(source.registry);
  if (registry === '') {
    yield required(child(path, 'registry'), HOST_PORTS);
  } else if (textOf(source.tenant).length > LONGEST_TENANT) {
    const detail = `must be a UUID and may not exceed a length of ${LONGEST_TENANT} characters`;
    yield required(child(path, 'tenant'), detail);
  } else {
    for (const pair of registry.split(',')) {
      if (!isHostAndPort(pair)) yield invalid(child(path, 'registry'), registry, HOST_PORTS);
    }
  }
  if (textOf(source.volume) === '') yield required(child(path, 'volume'));
}

/** Whether a text has the form host:port, as in Go's net.SplitHostPort. The content of both parts is not checked. */
function isHostAndPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

function* fibreChannel(path: string, source: JsonObject): Errors {
  const [targets, ids] = [textsOf(source.targetWWNs), textsOf(source.wwids)];
  const own = child(path, 'targetWWNs');
  if (targets.length === 0 && ids.length === 0) {
    yield required(own, 'must specify either targetWWNs or wwids, but not both');
  }
  if (targets.length > 0 && ids.length > 0) {
    const detail = `${goTexts(targets)}: targetWWNs and wwids can not be specified simultaneously`;
    yield { type: 'Invalid', field: own, detail };
  }
  if (targets.length === 0) return;
  if (isThere(source.lun)) {
    yield* unit(child(path, 'lun'), source.lun);
  } else {
    yield required(child(path, 'lun'), 'lun is required if targetWWNs is specified');
  }
}

function* unit(path: string, value: JsonValue | undefined): Errors {
  const lun = numberOf(value);
  if (lun < 0 || lun > MOST_LUNS) yield invalid(path, lun, `must be between 0 and ${MOST_LUNS}, inclusive`);
}

function* flexVolume(path: string, source: JsonObject): Errors {
  yield* needs('driver')(path, source);
  for (const [name] of entriesOf(source.options)) {
    const namespace = `.${name.split('/', 1).join('').toLowerCase()}`;
    if (namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io')) {
      const detail = 'kubernetes.io and k8s.io namespaces are reserved';
      yield invalid(key(child(path, 'options'), name), name, detail);
    }
  }
}

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_URI =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

function* azureDisk(path: string, source: JsonObject): Errors {
  yield* needs('diskName', 'diskURI')(path, source);
  const { cachingMode, kind } = source;
  if (isThere(cachingMode) && !CACHING_MODES.includes(textOf(cachingMode))) {
    yield notSupported(child(path, 'cachingMode'), cachingMode, CACHING_MODES);
  }
  if (!isThere(kind)) return;
  if (!DISK_KINDS.includes(textOf(kind))) yield notSupported(child(path, 'kind'), kind, DISK_KINDS);
  const uri = textOf(source.diskURI);
  const [prefix, form] = kind === 'Managed' ? ['/subscriptions/', MANAGED_URI] : ['https://', BLOB_URI];
  if (!uri.startsWith(prefix)) yield notSupported(child(path, 'diskURI'), uri, [form]);
}

const QUALIFIED_NAMES: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

export interface IscsiOptions {
  /** The error detail for a name with an unknown prefix. */
  readonly unknown: string;
}

/** Checks an iSCSI disk. */
export function* iscsi(path: string, source: JsonObject, { unknown }: IscsiOptions): Errors {
  yield* needs('targetPortal', 'iqn')(path, source);
  if (textOf(source.iqn) !== '') yield* qualifiedName(child(path, 'iqn'), textOf(source.iqn), unknown);
  yield* unit(child(path, 'lun'), source.lun);
  const isChecked = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  if (isChecked && !isThere(source.secretRef)) yield required(child(path, 'secretRef'));
}

const LONGEST_PORTAL = 64;
export const LONG_PORTAL = `Total length of <volume name>:<iscsi.targetPortal> must be under ${LONGEST_PORTAL} characters if iscsi.initiatorName is specified.`;

/**
 * Whether the volume's name and the portal together are too long. They form the name of a network interface of the
 * node.
 */
export function isLongPortal(name: string, { initiatorName, targetPortal }: JsonObject): boolean {
  return isThere(initiatorName) && `${name}:${textOf(targetPortal)}`.length > LONGEST_PORTAL;
}

export function* initiator(path: string, source: JsonObject, { unknown }: IscsiOptions): Errors {
  if (!isThere(source.initiatorName)) return;
  yield* qualifiedName(child(path, 'initiatorname'), textOf(source.initiatorName), unknown);
}

function* qualifiedName(path: string, name: string, unknown: string): Errors {
  const form = QUALIFIED_NAMES[name.slice(0, 3)];
  if (form === undefined) {
    yield invalid(path, name, unknown);
  } else if (!form.test(name)) {
    yield invalid(path, name, 'must be valid format');
  }
}

/** Checks a volume of StorageOS. Its secret must have a name, and the fields in `ofSecret`. */
export function* storageOs(path: string, source: JsonObject, ...ofSecret: readonly string[]): Errors {
  const [name, namespace] = [textOf(source.volumeName), textOf(source.volumeNamespace)];
  if (name === '') {
    yield required(child(path, 'volumeName'));
  } else {
    yield* invalidFor(child(path, 'volumeName'), name, dns1123LabelErrors(name));
  }
  if (namespace !== '') {
    yield* invalidFor(child(path, 'volumeNamespace'), namespace, dns1123LabelErrors(namespace));
  }
  if (isThere(source.secretRef)) {
    yield* needs('name', ...ofSecret)(child(path, 'secretRef'), objectAt(source.secretRef));
  }
}

export function* gitRepository(path: string, source: JsonObject): Errors {
  yield* needs('repository')(path, source);
  yield* descendingPath(child(path, 'directory'), textOf(source.directory));
}

/** Checks a volume that a driver creates for one pod. */
export function* driverSource(path: string, source: JsonObject): Errors {
  yield* driverName(child(path, 'driver'), textOf(source.driver));
  if (!isThere(source.nodePublishSecretRef)) return;
  yield* needs('name')(child(path, 'nodePublishSecretRef'), objectAt(source.nodePublishSecretRef));
}

export function* cinder(path: string, source: JsonObject, ...ofSecret: readonly string[]): Errors {
  yield* needs('volumeID')(path, source);
  if (isThere(source.secretRef)) {
    yield* needs('name', ...ofSecret)(child(path, 'secretRef'), objectAt(source.secretRef));
  }
}
