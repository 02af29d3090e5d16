/**
 * A kubelet that runs nothing: `node main.ts KUBECONFIG NAME ADDRESS`. It is the node NAME, logs in as one, registers
 * itself, renews its lease, and reports pods that are bound to it as Kubernetes' end-to-end suite expects them:
 * containers start and become ready, end with the exit codes of their commands, and start again. Pods end at their
 * deadlines and when they are deleted. It ends when its standard input ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiException,
  CoordinationV1Api,
  CoreV1Api,
  KubeConfig,
  ListWatch,
  V1MicroTime,
  type V1Pod,
  Watch,
} from '@kubernetes/client-node';
import { type Host, PodLife, STRATEGIC } from './pod-life.ts';

const [, , kubeconfig = '', name = '', address = ''] = process.argv;
/** The pause between two renewals of the lease, in ms, as a kubelet's. */
const RENEW = 10_000;
/** The pause between two reports of the node's status, in ms, as a kubelet's. */
const HEARTBEAT = 300_000;
/** The pause before an informer that failed starts again, in ms. */
const RESTART = 1_000;
const STARTED = new Date().toISOString();
const LEASES = 'kube-node-lease';
const RESOURCES = { cpu: '32', memory: '256Gi', pods: '110', 'ephemeral-storage': '100Gi' };

const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const core = config.makeApiClient(CoreV1Api);
const coordination = config.makeApiClient(CoordinationV1Api);

async function register(): Promise<string> {
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
  };
  const { metadata } = await core.createNode({ body: { metadata: { name, labels } } });
  const addresses = [
    { type: 'InternalIP', address },
    { type: 'Hostname', address: name },
  ];
  const nodeInfo = {
    kubeletVersion: 'v1.33.2',
    osImage: 'none',
    architecture: 'amd64',
    operatingSystem: 'linux',
  };
  const status = { capacity: RESOURCES, allocatable: RESOURCES, addresses, nodeInfo };
  await core.patchNodeStatus({ name, body: { status } }, STRATEGIC);
  return metadata?.uid ?? '';
}

/** Reports the node as ready. */
async function beat(): Promise<void> {
  const times = { lastHeartbeatTime: new Date().toISOString(), lastTransitionTime: STARTED };
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', ...times };
  await core.patchNodeStatus({ name, body: { status: { conditions: [ready] } } }, STRATEGIC);
}

async function createLease(uid: string): Promise<void> {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new V1MicroTime() };
  await coordination.createNamespacedLease({
    namespace: LEASES,
    body: { metadata: { name, ownerReferences }, spec },
  });
}

async function renew(): Promise<void> {
  const body = { spec: { renewTime: new V1MicroTime() } };
  await coordination.patchNamespacedLease({ name, namespace: LEASES, body }, STRATEGIC);
}

async function repeat(pause: number, work: () => Promise<void>): Promise<never> {
  for (;;) {
    await work().catch((error: unknown) => console.error(String(error)));
    await sleep(pause);
  }
}

/** Follows the pods of this node. */
async function follow(): Promise<void> {
  const fieldSelector = `spec.nodeName=${name}`;
  const list = () => core.listPodForAllNamespaces({ fieldSelector });
  const informer = new ListWatch('/api/v1/pods', new Watch(config), list, false, undefined, fieldSelector);
  const lives = new Map<string, PodLife>();
  let addresses = 0;
  const host: Host = {
    core,
    address,
    markers: new Set(),
    nextAddress: () => {
      addresses += 1;
      return `10.${128 + Number(address.split('.').at(-1))}.${(addresses >> 8) % 256}.${addresses % 256}`;
    },
  };
  const keyOf = ({ metadata }: V1Pod) => `${metadata?.namespace}/${metadata?.name}`;
  const see = (pod: V1Pod) => {
    const before = lives.get(keyOf(pod));
    if (before?.uid === pod.metadata?.uid) {
      before?.see(pod);
      return;
    }
    before?.forget();
    const life = new PodLife(host, pod);
    lives.set(keyOf(pod), life);
    life.see(pod);
  };
  informer.on('add', see);
  informer.on('update', see);
  informer.on('delete', (pod) => {
    lives.get(keyOf(pod))?.forget();
    lives.delete(keyOf(pod));
  });
  informer.on('error', (error: unknown) => {
    console.error('pods:', error instanceof ApiException ? error.message : String(error));
    setTimeout(() => informer.start(), RESTART);
  });
  await informer.start();
}

process.stdin.on('end', () => process.exit()).resume();
await createLease(await register());
void repeat(RENEW, renew);
void repeat(HEARTBEAT, beat);
await follow();
