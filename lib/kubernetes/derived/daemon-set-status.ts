import { claimed } from './claimed.ts';
import { daemonNodes, nodeOf } from './daemon-nodes.ts';
import { count, type DerivedStatus, derivedStatus, type Inputs, statusWith } from './derived-status.ts';
import type { Pod, Workload } from './objects.ts';
import { countPods, isOver } from './pods.ts';
import { isOfRevision, templateHash } from './revision.ts';

/**
 * Returns the status of a DaemonSet. Of each node that should run its pod, the oldest pod counts.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/daemon-set-v1/#DaemonSetStatus
 */
export function daemonSetStatus(set: Workload, { pods, nodes }: Inputs, now: number): DerivedStatus {
  const { spec, metadata } = set;
  const own = claimed(set, pods).filter(
    (pod) => !isOver(pod.status?.phase) || !pod.metadata.deletionTimestamp,
  );
  const byNode = Map.groupBy(own, nodeOf);
  const wanted = daemonNodes(set, nodes);
  const names = new Set(wanted.map((node) => node.metadata.name));
  const oldest = wanted.flatMap((node) => oldestOf(byNode.get(node.metadata.name) ?? []));
  const { ready, available, next } = countPods(oldest, spec.minReadySeconds ?? 0, now);
  const astray = nodes.filter(({ metadata: { name } }) => !names.has(name) && byNode.has(name));
  const hash = templateHash(spec.template);
  const revisions = [hash, `${metadata.name}-${hash}`];
  const status = statusWith(set.status, {
    observedGeneration: metadata.generation,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: oldest.length,
    numberMisscheduled: astray.length,
    numberReady: ready,
    updatedNumberScheduled: count(oldest.filter((pod) => isOfRevision(pod, revisions, true)).length),
    numberAvailable: count(available),
    numberUnavailable: count(wanted.length - available),
  });
  return derivedStatus(status, next);
}

function oldestOf(pods: readonly Pod[]): readonly Pod[] {
  return [...pods].sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1)).slice(0, 1);
}

function ageOf({ metadata }: Pod): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
}
