import { fromLabels } from '../../selectors/index.ts';
import { claimed } from './claimed.ts';
import { count, type DerivedStatus, derivedStatus, type Inputs, statusWith } from './derived-status.ts';
import type { Workload } from './objects.ts';
import { countPods, isActive } from './pods.ts';

/**
 * Returns the status of a ReplicaSet or a ReplicationController. It counts its own pods that have neither ended nor
 * are being deleted.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/replica-set-v1/#ReplicaSetStatus
 */
export function replicaSetStatus(set: Workload, { pods }: Pick<Inputs, 'pods'>, now: number): DerivedStatus {
  const active = claimed(set, pods.filter(isActive));
  const labels = fromLabels(set.spec.template?.metadata?.labels);
  const { ready, available, next } = countPods(active, set.spec.minReadySeconds ?? 0, now);
  const status = statusWith(set.status, {
    replicas: active.length,
    fullyLabeledReplicas: count(active.filter((pod) => labels.matches(pod.metadata.labels ?? {})).length),
    readyReplicas: count(ready),
    availableReplicas: count(available),
    observedGeneration: set.metadata.generation,
  });
  return derivedStatus(status, next);
}
