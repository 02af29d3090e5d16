import { type Collection, collectionOf } from '../../../lib/store/index.ts';
import { SUBSCRIPTIONS, type TargetResource, type TargetResources } from '../../../lib/watch/index.ts';
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

/** The few resource types of the simulation, as the API's table of them would be handed down. */
export const RESOURCES: TargetResources = {
  find: (group, resource) => RESOURCES.of(collectionOf(group, resource)),
  ofKind: (_apiVersion, wanted) => [...TYPES, ...OWNED].find(({ kind }) => kind === wanted),
  of: (wanted) => [...TYPES, ...OWNED].find(({ collection }) => collection === wanted),
};

export const COLLECTIONS: readonly Collection[] = TYPES.map(({ collection }) => collection);
/** Subscriptions live in `default`, which nobody deletes: leaving them out keeps a namespace's end simple. */
export const NAMESPACED: readonly Collection[] = [PODS];
