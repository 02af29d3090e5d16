/**
 * Computes the statuses of workloads that Kubernetes' controllers write, from the objects alone. Pure: imports only
 * the selectors of Kubernetes.
 */
export { selectorOf } from './claimed.ts';
export { deriveStatus } from './derive-status.ts';
export type { DerivedStatus, Inputs } from './derived-status.ts';
export type { Node, Pod, Workload } from './objects.ts';
