import type { Node, Pod, PodSpec } from '../../../lib/placement/index.ts';

export const HOSTNAME = 'kubernetes.io/hostname';
export const ZONE = 'topology.kubernetes.io/zone';

interface NodeGiven {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Node['spec'];
  readonly status?: NonNullable<Node['status']>;
}

/** A node with room for anything, and its own name as a label. */
export function node(name: string, { labels = {}, spec = {}, status = {} }: NodeGiven = {}): Node {
  const allocatable = { cpu: '8', memory: '32Gi', pods: '110' };
  return {
    metadata: { name, labels: { [HOSTNAME]: name, ...labels } },
    spec,
    status: { allocatable, ...status },
  };
}

interface PodGiven {
  readonly labels?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly spec?: PodSpec;
  readonly status?: NonNullable<Pod['status']>;
}

export function pod(
  name: string,
  { labels = {}, requests = {}, spec = {}, status = {} }: PodGiven = {},
): Pod {
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: { containers: [{ name: 'main', image: 'web', resources: { requests } }], ...spec },
    status,
  };
}
