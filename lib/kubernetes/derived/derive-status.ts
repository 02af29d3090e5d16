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
 * Returns the status of a workload as Kubernetes' controllers write it, and the time at which it changes by itself.
 * Undefined for an object of another kind. Computing it again from its own result gives the same status.
 * @param now in ms since the epoch
 * @throws {SelectorError} its selector is invalid
 */
export function deriveStatus(workload: Workload, inputs: Inputs, now: number): DerivedStatus | undefined {
  return BY_KIND[workload.kind]?.(workload, inputs, now);
}
