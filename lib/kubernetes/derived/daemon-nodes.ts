import { fromLabels, readNodeSelector } from '../../selectors/index.ts';
import type { Node, Pod, PodSpec, Taint, Toleration, Workload } from './objects.ts';

/**
 * The tolerations of every DaemonSet pod.
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations
 */
const TOLERATED: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
/** The additional toleration of DaemonSet pods on the host's network. */
const OF_HOST_NETWORK: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};
const KEEPS_OFF: ReadonlySet<string> = new Set(['NoSchedule', 'NoExecute']);

/** Returns the nodes that should run a DaemonSet's pod, by name, labels and taints. Resources are not considered. */
export function daemonNodes({ spec }: Workload, nodes: readonly Node[]): readonly Node[] {
  const pod = spec.template?.spec ?? {};
  const tolerations = [
    ...(pod.tolerations ?? []),
    ...TOLERATED,
    ...(pod.hostNetwork ? [OF_HOST_NETWORK] : []),
  ];
  const labels = fromLabels(pod.nodeSelector ?? undefined);
  const required = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? undefined;
  const selector = required && readNodeSelector(required).selector;
  return nodes.filter((node) => {
    const { name, labels: own } = node.metadata;
    if (pod.nodeName && pod.nodeName !== name) return false;
    if (!labels.matches(own ?? {})) return false;
    if (selector !== undefined && !selector.matches({ name, labels: own ?? {} })) return false;
    return (node.spec?.taints ?? []).every(
      (taint) => !KEEPS_OFF.has(taint.effect) || isTolerated(taint, tolerations),
    );
  });
}

/** Returns the node of a DaemonSet's pod, or the node that it is meant for. */
export function nodeOf({ spec }: Pod): string | undefined {
  return spec?.nodeName || namedIn(spec ?? {});
}

/** Returns the node in the pod's affinity. A DaemonSet's pod names its node there before it is placed. */
function namedIn({ affinity }: PodSpec): string | undefined {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields } of required?.nodeSelectorTerms ?? []) {
    const field = matchFields?.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (field !== undefined) return field.values?.[0];
  }
  return undefined;
}

function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some(({ key, operator, value, effect }) => {
    if (effect && effect !== taint.effect) return false;
    if (key && key !== taint.key) return false;
    if (operator === 'Exists') return true;
    return (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
  });
}
