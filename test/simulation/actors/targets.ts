import { type Collection, collectionOf } from '../../../lib/store/index.ts';
import { SUBSCRIPTIONS, type TargetResource, type TargetResources } from '../../../lib/watch/index.ts';
import { PODS, readField } from './pods.ts';

export const NAMESPACES: Collection = 'core/namespaces';

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
  ofKind: (_apiVersion, wanted) => TYPES.find(({ kind }) => kind === wanted),
  of: (wanted) => TYPES.find(({ collection }) => collection === wanted),
};

export const COLLECTIONS: readonly Collection[] = TYPES.map(({ collection }) => collection);
/** Subscriptions live in `default`, which nobody deletes: leaving them out keeps a namespace's end simple. */
export const NAMESPACED: readonly Collection[] = [PODS];
