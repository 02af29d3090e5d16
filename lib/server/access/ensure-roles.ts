import { type JsonObject, metadataOf } from '../../json/index.ts';
import {
  collectionOfType,
  findResourceType,
  type ResourceType,
} from '../../kubernetes/resource-types/index.ts';
import { type EnsureOptions, ensureObject } from '../objects/index.ts';
import { writeAggregated } from './aggregating-store.ts';
import { BOOTSTRAP_ROLES } from './bootstrap-roles.ts';

/** Creates each bootstrap role and binding that is absent. If none is absent, this takes one request. */
export async function ensureRoles(options: EnsureOptions): Promise<void> {
  const wanted = BOOTSTRAP_ROLES.map((object) => ({ object, type: typeOf(object) }));
  const { objects } = await options.store.prefetch({
    objects: wanted.map(({ object, type }) => ({
      collection: collectionOfType(type),
      name: { namespace: '', name: String(metadataOf(object).name) },
    })),
    collections: [],
  });
  const missing = wanted.filter((_, at) => objects[at]?.state === undefined);
  for (const { object, type } of missing) await ensureObject(options, type, object);
  if (missing.length > 0) await writeAggregated(options);
}

function typeOf({ kind }: JsonObject): ResourceType {
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'clusterrolebindings';
  const type = findResourceType('rbac.authorization.k8s.io', 'v1', resource);
  if (type === undefined) throw new Error(`the resource type ${resource} is missing`);
  return type;
}
