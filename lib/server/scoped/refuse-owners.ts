import { type JsonObject, type JsonValue, jsonEquals, metadataOf, objectAt } from '../../json/index.ts';
import type { ResourceAccess } from '../../kubernetes/rbac/index.ts';
import {
  apiVersionOf,
  collectionOfType,
  type ResourceType,
  resourceTypes,
} from '../../kubernetes/resource-types/index.ts';
import type { Store } from '../../store/index.ts';
import { labelsOf, type Permission } from '../access/index.ts';
import { forbidden } from '../status/index.ts';
import type { Put } from './put.ts';

export interface Owning {
  /** The store without scopes. */
  readonly store: Store;
  readonly permission: Permission;
  readonly type: ResourceType;
  /** The access of the write itself. */
  readonly access: ResourceAccess;
  customTypes(): Promise<readonly ResourceType[]>;
}

/**
 * Checks the permissions that a change of owner references needs: to delete the object, and to set finalizers of each
 * owner whose deletion it newly blocks. This is OwnerReferencesPermissionEnforcement of Kubernetes
 * (k8s.io/kubernetes/plugin/pkg/admission/gc).
 *
 * @throws ApiError 403
 */
export async function refuseOwners(owning: Owning, { current, body, name }: Put): Promise<void> {
  const { permission, type, access } = owning;
  const before = ownersOf(current?.body);
  const after = ownersOf(body);
  const isPodStatus = type.kind === 'Pod' && access.subresource === 'status';
  if (isPodStatus || jsonEquals([...before], [...after])) return;
  const refuse = (why: string) => forbidden(type, name.name, why);
  if (current !== undefined) {
    const why = whyNot(permission, { ...access, verb: 'delete' }, current.body);
    const cannot = "cannot set an ownerRef on a resource you can't delete";
    if (why !== undefined) throw refuse(`${cannot}: ${why}, <nil>`);
  }
  const held = new Set(before.filter(isBlocking).map(({ uid }) => uid));
  for (const owner of after.filter(isBlocking)) {
    if (held.has(owner.uid)) continue;
    const why = await whyNotHeld(owning, owner);
    if (why !== undefined) throw refuse(why);
  }
}

const isBlocking = ({ blockOwnerDeletion }: JsonObject) => blockOwnerDeletion === true;

function ownersOf(body: JsonObject | undefined): readonly JsonObject[] {
  const { ownerReferences } = metadataOf(body ?? {});
  const all: readonly JsonValue[] = Array.isArray(ownerReferences) ? ownerReferences : [];
  return all.map(objectAt);
}

async function whyNotHeld(
  { store, permission, access, customTypes }: Owning,
  { apiVersion, kind, name: owner, uid }: JsonObject,
): Promise<string | undefined> {
  const isIt = (one: ResourceType) => apiVersionOf(one) === apiVersion && one.kind === kind;
  const type = resourceTypes.find(isIt) ?? (await customTypes()).find(isIt);
  if (type === undefined) {
    return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`;
  }
  const { group: apiGroup, resource, scope } = type;
  const name = { namespace: scope === 'Namespaced' ? access.namespace : '', name: String(owner) };
  const state = await store.get(collectionOfType(type), name);
  const there = state?.uid === uid ? state?.body : undefined;
  const asked = { verb: 'update', apiGroup, resource, subresource: 'finalizers', ...name };
  const why = whyNot(permission, asked, there ?? {});
  const cannot =
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
  return why === undefined ? undefined : `${cannot}: ${why}, <nil>`;
}

/** The reason why the caller lacks the permission for this object; undefined if the caller has it. */
function whyNot(permission: Permission, access: ResourceAccess, body: JsonObject): string | undefined {
  const { allowed, scope, reason } = permission.judge(access);
  return allowed || scope?.matches(labelsOf(body)) === true ? undefined : reason;
}
