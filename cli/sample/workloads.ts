import type { JsonObject } from '../../lib/json/index.ts';
import type { Chance } from './chance.ts';
import { SAMPLE, type SampleObject } from './sample-object.ts';

/** An application of the inventory. */
interface Application {
  readonly namespace: string;
  readonly name: string;
  readonly tier: 'frontend' | 'backend' | 'batch';
  /** The number of its pods in each environment. */
  readonly pods: Readonly<Record<string, number>>;
}

const APPLICATIONS: readonly Application[] = [
  { namespace: 'shop', name: 'web', tier: 'frontend', pods: { production: 12, qa: 4, dev: 2 } },
  { namespace: 'shop', name: 'cart', tier: 'backend', pods: { production: 8, qa: 3, dev: 1 } },
  { namespace: 'shop', name: 'catalog', tier: 'backend', pods: { production: 8, qa: 2, dev: 1 } },
  { namespace: 'shop', name: 'checkout', tier: 'backend', pods: { production: 6, qa: 2 } },
  { namespace: 'billing', name: 'ledger', tier: 'backend', pods: { production: 9, qa: 3 } },
  { namespace: 'billing', name: 'invoices', tier: 'batch', pods: { production: 6, qa: 2, dev: 1 } },
  { namespace: 'search', name: 'query', tier: 'frontend', pods: { production: 10, qa: 3 } },
  { namespace: 'search', name: 'indexer', tier: 'batch', pods: { production: 6, qa: 2, dev: 1 } },
];

const NODES = ['north-1', 'north-2', 'south-1', 'south-2', 'west-1', 'west-2'];
/** The versions that the pods of an application have, the current one first. */
const VERSIONS = ['3.2', '3.1'];
const NAMES = 'bcdfghjklmnpqrstvwxz2456789';

const inNamespace = (path: string, namespace: string, resource: string) =>
  `${path}/namespaces/${namespace}/${resource}`;

/** Returns the namespaces. */
export function sampleNamespaces(): readonly SampleObject[] {
  return [...new Set(APPLICATIONS.map(({ namespace }) => namespace))].map((name) => ({
    collection: '/api/v1/namespaces',
    body: { metadata: { name, labels: { team: name } } },
  }));
}

/** Returns the nodes and the Services. */
export function sampleFrame(): readonly SampleObject[] {
  const nodes = NODES.map((name) => ({
    collection: '/api/v1/nodes',
    body: {
      metadata: {
        name,
        labels: { 'topology.kubernetes.io/zone': name, 'kubernetes.io/hostname': name, disk: 'ssd' },
      },
    },
    status: {
      capacity: { cpu: '16', memory: '64Gi', pods: '110' },
      allocatable: { cpu: '15', memory: '60Gi', pods: '110' },
      conditions: [condition('Ready')],
    },
  }));
  const services = APPLICATIONS.filter(({ tier }) => tier !== 'batch').map(({ namespace, name }) => ({
    collection: inNamespace('/api/v1', namespace, 'services'),
    body: {
      metadata: { name, labels: { app: name } },
      spec: { selector: { app: name, environment: 'production' }, ports: [{ name: 'http', port: 80 }] },
    },
  }));
  return [...nodes, ...services];
}

/** A Deployment of the inventory, with its ReplicaSet and its pods. Each level refers to the object above it. */
export interface SampleWorkload {
  readonly deployment: SampleObject;
  replicaSet(uid: string): SampleObject;
  pods(uid: string): readonly SampleObject[];
}

/** Returns the Deployments: one for each application and environment. */
export function sampleWorkloads(chance: Chance): readonly SampleWorkload[] {
  return APPLICATIONS.flatMap(({ namespace, name, tier, pods }) =>
    Object.entries(pods).map(([environment, replicas]): SampleWorkload => {
      const labels = { app: name, tier, environment };
      const deployment = `${name}-${environment}`;
      const replicaSet = `${deployment}-${suffix(chance, 9)}`;
      const spec = {
        replicas,
        selector: { matchLabels: { app: name, environment } },
        template: { metadata: { labels }, spec: podSpec(name, VERSIONS[0] ?? '') },
      };
      const status = { replicas, readyReplicas: replicas, availableReplicas: replicas };
      const podNames = Array.from({ length: replicas }, () => `${replicaSet}-${suffix(chance, 5)}`);
      const pod = (podName: string, uid: string) =>
        samplePod(chance, { namespace, name: podName, labels, owner: { name: replicaSet, uid } });
      return {
        deployment: {
          collection: inNamespace('/apis/apps/v1', namespace, 'deployments'),
          body: { metadata: { name: deployment, labels }, spec },
          status: { ...status, updatedReplicas: replicas },
        },
        replicaSet: (uid) => ({
          collection: inNamespace('/apis/apps/v1', namespace, 'replicasets'),
          body: {
            metadata: { name: replicaSet, labels, ownerReferences: [owner('Deployment', deployment, uid)] },
            spec,
          },
          status,
        }),
        pods: (uid) => podNames.map((podName) => pod(podName, uid)),
      };
    }),
  );
}

/** What distinguishes a pod from the others. */
interface Pod {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The ReplicaSet of the pod. */
  readonly owner: { readonly name: string; readonly uid: string };
}

/** Returns a pod that runs on some node. */
export function samplePod(
  chance: Chance,
  { namespace, name, labels, owner: { name: set, uid } }: Pod,
): SampleObject {
  const version = chance.next() < 0.85 ? VERSIONS[0] : VERSIONS[1];
  const { app = '' } = labels;
  return {
    collection: inNamespace('/api/v1', namespace, 'pods'),
    body: {
      metadata: {
        name,
        labels: { ...labels, version: version ?? '', [SAMPLE]: 'true' },
        ownerReferences: [owner('ReplicaSet', set, uid)],
      },
      spec: { ...podSpec(app, version ?? ''), nodeName: chance.pick(NODES) },
    },
    status: {
      phase: 'Running',
      podIP: `10.${1 + chance.below(6)}.${chance.below(250)}.${2 + chance.below(250)}`,
      conditions: [condition('Ready'), condition('ContainersReady')],
      containerStatuses: [
        {
          name: app,
          ready: true,
          started: true,
          restartCount: 0,
          image: `example/${app}:${version}`,
          imageID: '',
          state: { running: {} },
        },
      ],
    },
  };
}

/** Returns random letters and digits, as controllers append them to names. */
export function suffix(chance: Chance, length: number): string {
  return Array.from({ length }, () => chance.pick([...NAMES])).join('');
}

const podSpec = (app: string, version: string): JsonObject => ({
  containers: [
    {
      name: app,
      image: `example/${app}:${version}`,
      resources: { requests: { cpu: '100m', memory: '128Mi' } },
    },
  ],
});

const condition = (type: string): JsonObject => ({ type, status: 'True' });

const owner = (kind: string, name: string, uid: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
