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

/** The collections with a status to derive. Each selects its pods by `spec.selector`. */
export const WORKLOADS: ReadonlySet<Collection> = new Set([
  'core/replicationcontrollers',
  REPLICA_SETS,
  DEPLOYMENTS,
  'apps/statefulsets',
  DAEMON_SETS,
]);

/** All collections for which something is derived. */
export const SUBJECTS: ReadonlySet<Collection> = new Set([...WORKLOADS, SERVICES]);

/** The collections whose changes may alter derived data. */
export const INPUTS: ReadonlySet<Collection> = new Set([
  ...SUBJECTS,
  PODS,
  NODES,
  NAMESPACES,
  ENDPOINTS,
  SLICES,
]);

/**
 * The collection of work keys that stand for many objects. Their names are those of collections; they cover one
 * namespace or all.
 */
export const ROUNDS: Collection = 'winnow.dev/rounds';
