import type { Node, Pod, Workload, WorkloadStatus } from './objects.ts';

/** What a status is computed from beside its own object. Others than those that count may be among them. */
export interface Inputs {
  /** Of the workload's namespace. */
  readonly pods: readonly Pod[];
  /** Of the workload's namespace; looked at for a Deployment. */
  readonly replicaSets: readonly Workload[];
  /** All; looked at for a DaemonSet. */
  readonly nodes: readonly Node[];
}

export interface DerivedStatus {
  /** The whole of it: what is not computed is as it was. */
  readonly status: Readonly<Record<string, unknown>>;
  /** When it becomes another one though nothing else happens, in ms since the epoch. */
  readonly next?: number;
}

/** Zero, where Kubernetes leaves a count out that is none. */
export function count(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

/** The status as it was with these fields; those that are undefined are left out. */
export function statusWith(
  former: WorkloadStatus | null | undefined,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const all = { ...former, ...fields };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A derived status; `next` is left out where it is undefined. */
export function derivedStatus(status: DerivedStatus['status'], next: number | undefined): DerivedStatus {
  return next === undefined ? { status } : { status, next };
}
