import type { Node, Pod, Workload, WorkloadStatus } from './objects.ts';

/** The objects from which a workload's status is computed. They may include unrelated objects. */
export interface Inputs {
  /** The pods of the workload's namespace. */
  readonly pods: readonly Pod[];
  /** The ReplicaSets of the workload's namespace; used for a Deployment. */
  readonly replicaSets: readonly Workload[];
  /** All nodes; used for a DaemonSet. */
  readonly nodes: readonly Node[];
}

export interface DerivedStatus {
  /** The complete status. Fields that are not computed keep their values. */
  readonly status: Readonly<Record<string, unknown>>;
  /** The time at which the status changes by itself, in ms since the epoch. */
  readonly next?: number;
}

/** Returns a count as Kubernetes writes it: undefined for zero. */
export function count(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

/** Returns the former status with these fields. Undefined fields are removed. */
export function statusWith(
  former: WorkloadStatus | null | undefined,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const all = { ...former, ...fields };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Returns a derived status; an undefined `next` is omitted. */
export function derivedStatus(status: DerivedStatus['status'], next: number | undefined): DerivedStatus {
  return next === undefined ? { status } : { status, next };
}
