import type { Hints } from '../../../lib/coordination/index.ts';
import { type Collection, collectionOf } from '../../../lib/json/index.ts';
import { DEFINITIONS, SUBSCRIPTIONS, TALLIES } from '../../../lib/kubernetes/lifecycle/index.ts';
import type { TargetResource, TargetResources } from '../../../lib/kubernetes/winnow/index.ts';
import type { Clock } from '../../../lib/platform/index.ts';
import type { DefinitionStatuses } from '../../../lib/server/registry/definition-statuses.ts';
import type { Store } from '../../../lib/store/index.ts';
import { LEAVES, SETS } from './owners.ts';
import { PODS, readField } from './pods.ts';

export const NAMESPACES: Collection = 'core/namespaces';
export const SERVICES: Collection = 'core/services';
export const QUOTAS: Collection = 'core/resourcequotas';

/** No Subscription selects them, and their journals last as long as a run. */
const UNWATCHED = [
  targetOf(SETS, { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespaced: true }),
  targetOf(LEAVES, { apiVersion: 'v1', kind: 'ConfigMap', namespaced: true }),
  targetOf(SERVICES, { apiVersion: 'v1', kind: 'Service', namespaced: true }),
  targetOf(QUOTAS, { apiVersion: 'v1', kind: 'ResourceQuota', namespaced: true }),
];

const TYPES: readonly TargetResource[] = [
  targetOf(PODS, { apiVersion: 'v1', kind: 'Pod', namespaced: true }),
  targetOf(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', namespaced: false }),
  targetOf(SUBSCRIPTIONS, { apiVersion: 'winnow.dev/v1', kind: 'Subscription', namespaced: true }),
];

const SERVED_TYPES = [
  targetOf('core/nodes', { apiVersion: 'v1', kind: 'Node', namespaced: false }),
  targetOf(SERVICES, { apiVersion: 'v1', kind: 'Service', namespaced: true }),
  targetOf('core/endpoints', { apiVersion: 'v1', kind: 'Endpoints', namespaced: true }),
  targetOf('discovery.k8s.io/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    namespaced: true,
  }),
  targetOf('coordination.k8s.io/leases', {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    namespaced: true,
  }),
];

function targetOf(
  collection: Collection,
  type: Pick<TargetResource, 'apiVersion' | 'kind' | 'namespaced'>,
): TargetResource {
  return { ...type, collection, fields: ['metadata.name', 'metadata.namespace', 'status.phase'], readField };
}

/** The resource types that functions receive, without those that definitions declare. */
export interface Served {
  readonly resources: TargetResources;
  readonly collections: readonly Collection[];
  /** How definitions report what becomes of them; in most scenarios there are no definitions. */
  definitions(clock: Clock, hints: Hints): DefinitionStatuses;
  /** Recomputes the quotas each minute; in most scenarios there are none. */
  reckoner(clock: Clock, hints: Hints): (store: Store) => Promise<void>;
}

/** The few resource types of the simulation, in the form of the API's table of types. */
export const SERVED: Served = {
  ...served(TYPES),
  definitions: () => ({ settleNames: async () => {}, tellDeletion: async () => {} }),
  reckoner: () => async () => {},
};
export const RESOURCES = SERVED.resources;

/** The same with Tallies. */
export function withDigests(): Served {
  const type = { apiVersion: 'winnow.dev/v1', kind: 'Tally', namespaced: true };
  return { ...SERVED, ...served([...TYPES, targetOf(TALLIES, type)]) };
}

/** The same with Tallies and Secrets. */
export function withSecrets(): Served {
  const types = [
    targetOf(TALLIES, { apiVersion: 'winnow.dev/v1', kind: 'Tally', namespaced: true }),
    targetOf('core/secrets', { apiVersion: 'v1', kind: 'Secret', namespaced: true }),
  ];
  return { ...SERVED, ...served([...TYPES, ...types]) };
}

/** The same with all that endpoints depend on. */
export function withServed(): Served {
  return { ...SERVED, ...served([...TYPES, ...SERVED_TYPES]) };
}

/** The same with definitions of custom kinds. */
export function withDefinitions(definitions: Served['definitions']): Served {
  const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespaced: false };
  return { ...SERVED, ...served([...TYPES, targetOf(DEFINITIONS, type)]), definitions };
}

function served(types: readonly TargetResource[]): Pick<Served, 'resources' | 'collections'> {
  const all = [...types, ...UNWATCHED];
  const of = (wanted: Collection) => all.find(({ collection }) => collection === wanted);
  return {
    resources: {
      of,
      find: (group, resource) => of(collectionOf(group, resource)),
      ofKind: (_apiVersion, wanted) => all.find(({ kind }) => kind === wanted),
    },
    collections: types.map(({ collection }) => collection),
  };
}

/** Subscriptions are in `default`, which is never deleted. Without them the end of a namespace stays simple. */
export const NAMESPACED: readonly Collection[] = [PODS];
