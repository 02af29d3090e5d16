import type { Collection } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';

export const PODS: Collection = 'core/pods';
export const NODES: Collection = 'core/nodes';
export const REPLICA_SETS: Collection = 'apps/replicasets';
export const DEPLOYMENTS: Collection = 'apps/deployments';
export const DAEMON_SETS: Collection = 'apps/daemonsets';
export const SERVICES: Collection = 'core/services';
export const ENDPOINTS: Collection = 'core/endpoints';
export const SLICES: Collection = 'discovery.k8s.io/endpointslices';

/** The kinds that have a status to derive. Each selects its pods by `spec.selector`. */
export const WORKLOADS: ReadonlySet<Collection> = new Set([
  'core/replicationcontrollers',
  REPLICA_SETS,
  DEPLOYMENTS,
  'apps/statefulsets',
  DAEMON_SETS,
]);

/** Whatever something is derived for. */
export const SUBJECTS: ReadonlySet<Collection> = new Set([...WORKLOADS, SERVICES]);

/** Whose changes may make what is derived another one. */
export const INPUTS: ReadonlySet<Collection> = new Set([
  ...SUBJECTS,
  PODS,
  NODES,
  NAMESPACES,
  ENDPOINTS,
  SLICES,
]);

/** Stands for many objects at a time: its subjects are called after the collection, in one namespace or in all. */
export const ROUNDS: Collection = 'winnow.dev/rounds';
