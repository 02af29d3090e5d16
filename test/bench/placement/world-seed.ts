import { join } from 'node:path';
import type { Collection, JsonObject, ObjectName } from '../../../lib/json/index.ts';
import { systemClock as clock, systemRandom as random } from '../../../lib/platform/index.ts';
import { createStore } from '../../../lib/store/index.ts';
import { createStrictLogger } from '../../support/store/store-fixture.ts';
import { importTable } from '../import-table.ts';
import { CACHE } from '../toolchain.ts';

/** Raise it whenever the objects or the rows change: an older seed is not used again. */
const GENERATION = 1;
export const PODS_A_NODE = 10;
const APPS = 200;

/**
 * A folder with a table of so many nodes and their pods, made once; of the journal nothing is left. Pods as an API
 * server keeps them: names and uids that chance made, what applied them, and what a kubelet says of their containers.
 */
export function seededWorld(nodes: number): Promise<string> {
  return importTable(join(CACHE, `worlds-${GENERATION}`, String(nodes)), async (table) => {
    const store = createStore({ table, clock, random, logger: createStrictLogger() });
    const write = async (collection: Collection, name: ObjectName, body: JsonObject) => {
      await store.write(collection, name, () => ({ kind: 'put', body }));
      table.forgetJournal();
      await table.settleLast();
    };
    for (let at = 0; at < nodes; at += 1) {
      await write('core/nodes', { namespace: '', name: nodeName(at) }, node(at));
    }
    for (let at = 0; at < nodes * PODS_A_NODE; at += 1) {
      const name = podName(at);
      await write('core/pods', { namespace: 'default', name }, pod(name, at, nodeName(at % nodes)));
    }
    for (const collection of ['core/nodes', 'core/pods'] as const) {
      const head = await store.head(collection);
      await store.raise(collection, 'settled', head);
      await store.raise(collection, 'compacted', head);
    }
  });
}

export const nodeName = (at: number) =>
  `ip-10-${at % 7}-${Math.floor(at / 250)}-${at % 250}.eu-west-1.internal`;
const podName = (at: number) => `app-${at % APPS}-6d4b75cb6d-${random.suffix(5)}`;

function node(at: number): JsonObject {
  const name = nodeName(at);
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/arch': 'amd64',
    'topology.kubernetes.io/zone': `eu-west-1${'abc'[at % 3]}`,
    'node.kubernetes.io/instance-type': ['m6i.large', 'm6i.4xlarge'][at % 2] ?? '',
  };
  const images = Array.from({ length: 8 }, (_, image) => ({
    names: [`registry.example/app-${(at + image * 13) % APPS}:1.${image}`],
    sizeBytes: 50_000_000 + image,
  }));
  const status = { allocatable: { cpu: '32', memory: '64Gi', pods: '110' }, images, nodeInfo: INFO };
  return { apiVersion: 'v1', kind: 'Node', metadata: { ...metadataOf(name), labels }, spec: {}, status };
}

const INFO = { kernelVersion: '6.1.0', osImage: 'Amazon Linux 2023', kubeletVersion: 'v1.33.2' };

export function pod(name: string, at: number, onNode: string): JsonObject {
  const labels = { app: `app-${at % APPS}`, tier: 'frontend', 'pod-template-hash': '6d4b75cb6d' };
  const resources = { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '512Mi' } };
  const containers = [
    { name: 'main', image: `registry.example/app-${at % APPS}:1.0`, resources, ports: PORTS },
  ];
  const spec = { nodeName: onNode, containers, ...spread(at), ...DEFAULTS };
  const status = {
    phase: 'Running',
    podIP: `10.1.${Math.floor(at / 250) % 250}.${at % 250}`,
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
    })),
    containerStatuses: [
      { name: 'main', ready: true, restartCount: 0, resources, containerID: random.uuid() },
    ],
  };
  const metadata = { ...metadataOf(name), namespace: 'default', labels, managedFields: MANAGED };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status };
}

/** Each tenth keeps away from its like. */
function spread(at: number): JsonObject {
  if (at % 10 !== 0) return {};
  const labelSelector = { matchLabels: { app: `app-${at % APPS}` } };
  const terms = [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }];
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

function metadataOf(name: string): JsonObject {
  return { name, uid: random.uuid(), creationTimestamp: '2026-01-01T00:00:00Z' };
}

const PORTS = [{ containerPort: 8080, protocol: 'TCP' }];
const DEFAULTS = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  tolerations: ['not-ready', 'unreachable'].map((what) => ({
    key: `node.kubernetes.io/${what}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  })),
};
const MANAGED = [
  {
    manager: 'kubectl',
    operation: 'Apply',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': { 'f:labels': { 'f:app': {}, 'f:tier': {} } },
      'f:spec': { 'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:image': {}, 'f:resources': {} } } },
    },
  },
];
