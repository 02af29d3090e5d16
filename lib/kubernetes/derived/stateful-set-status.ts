import { claimed } from './claimed.ts';
import { count, type DerivedStatus, derivedStatus, type Inputs, statusWith } from './derived-status.ts';
import type { Pod, Workload } from './objects.ts';
import { countPods } from './pods.ts';
import { isOfRevision, templateHash } from './revision.ts';

/**
 * Returns the status of a StatefulSet. Its own pods are named `<set>-<ordinal>`. A revision is named after the
 * template. A pod without a revision label counts as up to date.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/stateful-set-v1/#StatefulSetStatus
 */
export function statefulSetStatus(set: Workload, { pods }: Pick<Inputs, 'pods'>, now: number): DerivedStatus {
  const { spec, metadata } = set;
  const own = claimed(set, pods).filter((pod) => isNamedFor(pod, metadata.name));
  const created = own.filter(({ status }) => (status?.phase ?? '') !== '');
  const running = own.filter(({ status }) => status?.phase === 'Running');
  const { ready, available, next } = countPods(running, spec.minReadySeconds ?? 0, now);
  const wanted = spec.replicas ?? 1;
  const update = `${metadata.name}-${templateHash(spec.template)}`;
  const staying = created.filter(({ metadata: { deletionTimestamp } }) => !deletionTimestamp);
  const updated = countRevision(staying, metadata.name, update, true);
  const isThere = [created.length, ready, updated].every((value) => value === wanted);
  const isRolling = (spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
  const former = set.status?.currentRevision || update;
  const current = isThere && isRolling ? update : former;
  const status = statusWith(set.status, {
    observedGeneration: metadata.generation,
    replicas: created.length,
    readyReplicas: count(ready),
    availableReplicas: available,
    currentReplicas: count(countRevision(staying, metadata.name, current, current === update)),
    updatedReplicas: count(updated),
    currentRevision: current,
    updateRevision: update,
  });
  return derivedStatus(status, next);
}

function countRevision(pods: readonly Pod[], set: string, revision: string, isPresent: boolean): number {
  const names = [revision, revision.slice(set.length + 1)];
  return pods.filter((pod) => isOfRevision(pod, names, isPresent)).length;
}

function isNamedFor({ metadata }: Pod, set: string): boolean {
  return metadata.name.startsWith(`${set}-`) && /^\d+$/.test(metadata.name.slice(set.length + 1));
}
