import { type Collection, collectionOf } from '../../json/index.ts';
import type { TargetResource, TargetResources } from '../winnow/index.ts';
import { apiVersionOf } from './api-version.ts';
import { isStored } from './is-stored.ts';
import { readField } from './read-field.ts';
import type { ResourceType } from './resource-type.ts';
import { resourceTypes } from './served-types.ts';

/** The stored resource types: as targets of Subscriptions, and as collections. */

const byCollection: ReadonlyMap<Collection, TargetResource> = new Map(
  resourceTypes.filter(isKept).map((type) => [collectionOf(type.group, type.resource), targetOf(type)]),
);

const byKind: ReadonlyMap<string, TargetResource> = new Map(
  [...byCollection.values()].map((target) => [kindKey(target.apiVersion, target.kind), target]),
);

export const targetResources: TargetResources = {
  find: (group, resource) => byCollection.get(collectionOf(group, resource)),
  of: (collection) => byCollection.get(collection),
  ofKind: (apiVersion, kind) => byKind.get(kindKey(apiVersion, kind)),
};

/** Whether objects are stored as this type, and not as another version of it. */
function isKept(type: ResourceType): boolean {
  return isStored(type) && type.storedAs === undefined;
}

/** All collections. */
export const collections: readonly Collection[] = [...byCollection.keys()];

/** The collections whose objects are namespaced. */
export const namespacedCollections: readonly Collection[] = [...byCollection.values()]
  .filter((target) => target.namespaced)
  .map((target) => target.collection);

function kindKey(apiVersion: string, kind: string): string {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/', 1) : [''];
  return `${group}/${kind}`;
}

function targetOf({ group, version, kind, resource, scope, fields }: ResourceType): TargetResource {
  return {
    collection: collectionOf(group, resource),
    apiVersion: apiVersionOf({ group, version }),
    kind,
    namespaced: scope === 'Namespaced',
    fields: ['metadata.name', 'metadata.namespace', ...fields],
    readField,
  };
}
