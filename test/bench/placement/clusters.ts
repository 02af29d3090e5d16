import type { Node, Pod, PodSpec } from '../../../lib/placement/index.ts';

/** What the pods ask of where they go. */
export const PLACEMENT_WORKLOADS = ['plain', 'affinity', 'anti-affinity', 'spread'] as const;
export type PlacementWorkload = (typeof PLACEMENT_WORKLOADS)[number];

/** A cluster, and pods that are placed in it one after the other. */
export interface BenchCluster {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly asked: readonly Pod[];
}

const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const ZONES = 10;
/** Pods of other workloads on each node, and kinds of them. */
const OTHERS = { each: 2, kinds: 50 };
const MOST_ASKED = 2_000;

/** As kubernetes/perf-tests and scheduler_perf have them: nodes of one size, pods of one workload that comes. */
export function benchCluster(workload: PlacementWorkload, size: number): BenchCluster {
  const nodes = Array.from({ length: size }, (_, index) => node(index));
  const pods = nodes.flatMap((_, index) =>
    Array.from({ length: OTHERS.each }, (_ignored, turn) => other(index, index * OTHERS.each + turn)),
  );
  // Hosts that keep each other away are fewer than the nodes.
  const count = workload === 'anti-affinity' ? Math.floor(size / 2) : size * 10;
  const asked = Array.from({ length: Math.min(count, MOST_ASKED) }, (_, index) => askedPod(workload, index));
  return { nodes, pods, asked };
}

function node(index: number): Node {
  const name = `node-${index}`;
  return {
    metadata: { name, labels: { [HOSTNAME]: name, [ZONE]: `zone-${index % ZONES}` } },
    status: { allocatable: { cpu: '16', memory: '64Gi', pods: '110' } },
  };
}

function other(nodeIndex: number, index: number): Pod {
  return pod(`other-${index}`, { app: `app-${index % OTHERS.kinds}` }, { nodeName: `node-${nodeIndex}` });
}

function askedPod(workload: PlacementWorkload, index: number): Pod {
  return pod(`asked-${index}`, { color: 'blue' }, wishOf(workload));
}

function wishOf(workload: PlacementWorkload): PodSpec {
  const labelSelector = { matchLabels: { color: 'blue' } };
  const near = (topologyKey: string) => ({
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector }],
  });
  switch (workload) {
    case 'plain':
      return {};
    case 'affinity':
      return { affinity: { podAffinity: near(ZONE) } };
    case 'anti-affinity':
      return { affinity: { podAntiAffinity: near(HOSTNAME) } };
    case 'spread':
      return {
        topologySpreadConstraints: [
          { maxSkew: 5, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector },
        ],
      };
    default:
      throw workload satisfies never;
  }
}

function pod(name: string, labels: Readonly<Record<string, string>>, spec: PodSpec): Pod {
  const requests = { cpu: '100m', memory: '100Mi' };
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: { ...spec, containers: [{ name: 'main', image: 'pause:3.10', resources: { requests } }] },
  };
}
