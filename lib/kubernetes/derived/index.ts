/**
 * What Kubernetes' controllers write into the statuses of workloads, from the objects alone. Pure: only the selectors of
 * Kubernetes are imported.
 */
export { selectorOf } from './claimed.ts';
export { deriveStatus } from './derive-status.ts';
export type { DerivedStatus, Inputs } from './derived-status.ts';
export type { Node, Pod, Workload } from './objects.ts';
