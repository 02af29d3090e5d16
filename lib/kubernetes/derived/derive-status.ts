import { daemonSetStatus } from './daemon-set-status.ts';
import { deploymentStatus } from './deployment-status.ts';
import type { DerivedStatus, Inputs } from './derived-status.ts';
import type { Workload } from './objects.ts';
import { replicaSetStatus } from './replica-set-status.ts';
import { statefulSetStatus } from './stateful-set-status.ts';

type Derive = (workload: Workload, inputs: Inputs, now: number) => DerivedStatus;

const BY_KIND: Readonly<Partial<Record<string, Derive>>> = {
  ReplicationController: replicaSetStatus,
  ReplicaSet: replicaSetStatus,
  Deployment: deploymentStatus,
  StatefulSet: statefulSetStatus,
  DaemonSet: daemonSetStatus,
};

/**
 * The status of a workload as Kubernetes' controllers write it, and when it becomes another one by time alone; undefined
 * for an object of another kind. Computed again from what came of it, it is the same.
 * @param now in ms since the epoch
 * @throws {SelectorError} its selector is none
 */
export function deriveStatus(workload: Workload, inputs: Inputs, now: number): DerivedStatus | undefined {
  return BY_KIND[workload.kind]?.(workload, inputs, now);
}
