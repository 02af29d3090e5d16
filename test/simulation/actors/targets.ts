import type { Clock } from '../../../lib/platform/index.ts';
import { type Collection, collectionOf } from '../../../lib/store/index.ts';
import {
  DEFINITIONS,
  type DefinitionStatuses,
  type Hints,
  SUBSCRIPTIONS,
  type TargetResource,
  type TargetResources,
} from '../../../lib/watch/index.ts';
import { LEAVES, SETS } from './owners.ts';
import { PODS, readField } from './pods.ts';

export const NAMESPACES: Collection = 'core/namespaces';

/** Nobody subscribes to them, and their journals are kept for as long as a run lasts. */
const OWNED = [
  targetOf(SETS, { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespaced: true }),
  targetOf(LEAVES, { apiVersion: 'v1', kind: 'ConfigMap', namespaced: true }),
];

const TYPES: readonly TargetResource[] = [
  targetOf(PODS, { apiVersion: 'v1', kind: 'Pod', namespaced: true }),
  targetOf(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', namespaced: false }),
  targetOf(SUBSCRIPTIONS, { apiVersion: 'winnow.dev/v1', kind: 'Subscription', namespaced: true }),
];

function targetOf(
  collection: Collection,
  type: Pick<TargetResource, 'apiVersion' | 'kind' | 'namespaced'>,
): TargetResource {
  return { ...type, collection, fields: ['metadata.name', 'metadata.namespace', 'status.phase'], readField };
}

/** What functions are told there is, but for what is declared. */
export interface Served {
  readonly resources: TargetResources;
  readonly collections: readonly Collection[];
  /** How definitions say what becomes of them; in most scenarios there are none. */
  definitions(clock: Clock, hints: Hints): DefinitionStatuses;
}

/** The few resource types of the simulation, as the API's table of them would be handed down. */
export const SERVED: Served = {
  ...served(TYPES),
  definitions: () => ({ settleNames: async () => {}, tellDeletion: async () => {} }),
};
export const RESOURCES = SERVED.resources;

/** The same with definitions of custom kinds. */
export function withDefinitions(definitions: Served['definitions']): Served {
  const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespaced: false };
  return { ...served([...TYPES, targetOf(DEFINITIONS, type)]), definitions };
}

function served(types: readonly TargetResource[]): Omit<Served, 'definitions'> {
  const all = [...types, ...OWNED];
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

/** Subscriptions live in `default`, which nobody deletes: leaving them out keeps a namespace's end simple. */
export const NAMESPACED: readonly Collection[] = [PODS];
