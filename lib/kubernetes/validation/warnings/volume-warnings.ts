import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { child, index } from '../../field-errors/index.ts';
import { objectsOf, textOf } from '../reading.ts';
import { claimSpecWarnings } from './fractions.ts';
import { PathTree } from './path-tree.ts';

type Plugins = readonly (readonly [field: string, named: string, message: string])[];

const CEPHFS = ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'] as const;
const RBD = ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'] as const;
const GLUSTERFS = ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'] as const;
const PHOTON = [
  'photonPersistentDisk',
  'photonPersistentDisk',
  'deprecated in v1.11, non-functional in v1.16+',
] as const;
const SCALE_IO = ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'] as const;
const STORAGE_OS = ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'] as const;

/** The volume plugins of pods that no kubelet has any more, and the names that Kubernetes gives the fields. */
const OF_PODS: Plugins = [
  PHOTON,
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  SCALE_IO,
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  STORAGE_OS,
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  GLUSTERFS,
  CEPHFS,
  RBD,
];
const OF_PERSISTENT_VOLUMES: Plugins = [CEPHFS, PHOTON, SCALE_IO, STORAGE_OS, GLUSTERFS, RBD];

/** Warns of the volumes of a pod. `path` is that of the list. */
export function* podVolumeWarnings(path: string, volumes: readonly JsonObject[]): Generator<string> {
  for (const [at, volume] of volumes.entries()) {
    yield* pluginWarnings(index(path, at), volume, OF_PODS);
    const { volumeClaimTemplate } = objectAt(volume.ephemeral);
    const template = child(index(path, at), 'ephemeral.volumeClaimTemplate.spec');
    yield* claimSpecWarnings(template, objectAt(volumeClaimTemplate).spec);
  }
  for (const volume of volumes) yield* overlaps(volume);
}

/** Warns of the plugin of a PersistentVolume. */
export function persistentVolumePlugin(spec: JsonObject): Generator<string> {
  return pluginWarnings('spec', spec, OF_PERSISTENT_VOLUMES);
}

function* pluginWarnings(path: string, source: JsonObject, plugins: Plugins): Generator<string> {
  for (const [field, named, message] of plugins) {
    if (isJsonObject(source[field])) yield `${child(path, named)}: ${message}`;
  }
}

interface Source {
  readonly paths: readonly string[];
  /** `ConfigMap "a"`; absent where the volume has one source. */
  readonly name?: string;
}

/** Warns of files of one volume that hide each other: `a` and `a/b`, or `a` twice. */
function* overlaps({ name, configMap, secret, downwardAPI, projected }: JsonObject): Generator<string> {
  const volume = JSON.stringify(textOf(name));
  if (isJsonObject(configMap)) {
    const of = `ConfigMap ${JSON.stringify(textOf(configMap.name))}`;
    yield* within(`volume ${volume} (${of})`, [{ paths: pathsOf(configMap.items) }]);
  }
  if (isJsonObject(secret)) {
    const of = `Secret ${JSON.stringify(textOf(secret.secretName))}`;
    yield* within(`volume ${volume} (${of})`, [{ paths: pathsOf(secret.items) }]);
  }
  if (isJsonObject(downwardAPI)) {
    yield* within(`volume ${volume} (DownwardAPI)`, [{ paths: pathsOf(downwardAPI.items) }]);
  }
  const sources = objectsOf(objectAt(projected).sources);
  for (const source of sources) {
    if (Object.keys(source).length === 0) yield `volume ${volume} (Projected) has no sources provided`;
  }
  yield* within(`volume ${volume} (Projected)`, sources.flatMap(projectedSource));
}

function* within(volume: string, sources: readonly Source[]): Generator<string> {
  const tree = new PathTree();
  for (const { paths, name } of sources) {
    for (const path of paths) {
      const trimmed = path.replace(/\/+$/, '');
      if (trimmed === '') continue;
      const own = name === undefined ? JSON.stringify(trimmed) : `${JSON.stringify(trimmed)} (${name})`;
      for (const other of tree.add(trimmed, own)) yield `${volume}: overlapping paths: ${own} with ${other}`;
    }
  }
}

function projectedSource(source: JsonObject): Source[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  const named = (kind: string, value: JsonValue | undefined) => `${kind} ${JSON.stringify(textOf(value))}`;
  if (isJsonObject(configMap)) {
    return [{ paths: pathsOf(configMap.items), name: named('ConfigMap', configMap.name) }];
  }
  if (isJsonObject(secret)) {
    return [{ paths: pathsOf(secret.items), name: named('Secret', secret.name) }];
  }
  if (isJsonObject(downwardAPI)) return [{ paths: pathsOf(downwardAPI.items), name: 'DownwardAPI' }];
  if (isJsonObject(serviceAccountToken)) {
    return [{ paths: [textOf(serviceAccountToken.path)], name: 'ServiceAccountToken' }];
  }
  if (!isJsonObject(clusterTrustBundle)) return [];
  const { name, signerName, path } = clusterTrustBundle;
  return [{ paths: [textOf(path)], name: named('ClusterTrustBundle', name ?? signerName) }];
}

function pathsOf(items: JsonValue | undefined): string[] {
  return objectsOf(items).map(({ path }) => textOf(path));
}
