import { fromLabels, readNodeSelector } from '../../selectors/index.ts';
import type { Node, Pod, PodSpec, Taint, Toleration, Workload } from './objects.ts';

/**
 * What every pod of a DaemonSet tolerates.
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
/** And what one on the host's network does beside. */
const OF_HOST_NETWORK: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};
const KEEPS_OFF: ReadonlySet<string> = new Set(['NoSchedule', 'NoExecute']);

/** The nodes that are to run a DaemonSet's pod: by name, labels and taints. Resources are not looked at. */
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

/** On which node a pod of a DaemonSet is, or is to be. */
export function nodeOf({ spec }: Pod): string | undefined {
  return spec?.nodeName || namedIn(spec ?? {});
}

/** A DaemonSet's pod that is not placed yet names its node in its affinity. */
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
