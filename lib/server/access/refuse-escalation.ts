import { type JsonObject, jsonEquals, metadataOf, type ObjectName, objectAt } from '../../json/index.ts';
import { authorize, escalation, type PolicyRule, type RoleRef } from '../../kubernetes/rbac/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { ApiError, forbidden } from '../status/index.ts';
import type { Permission } from './permission.ts';

const GROUP = 'rbac.authorization.k8s.io';
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

export interface RoleWrite {
  readonly permission: Permission;
  readonly type: ResourceType;
  readonly name: ObjectName;
  readonly current: JsonObject | undefined;
  readonly body: JsonObject;
}

/**
 * Refuses a role or a binding that grants more than its writer has, unless the writer may `escalate` roles, or `bind`
 * the bound role. This is the policybased storage of Kubernetes (k8s.io/kubernetes/pkg/registry/rbac).
 *
 * @throws ApiError 403; 404 the bound role does not exist, so its rules are unknown
 */
export function refuseEscalation(write: RoleWrite): void {
  const { current, body, type } = write;
  if (current !== undefined && jsonEquals(withoutOwners(current), withoutOwners(body))) return;
  if (type.resource === 'roles' || type.resource === 'clusterroles') {
    refuseRole(write);
  } else {
    refuseBinding(write);
  }
}

function refuseRole({ permission, type, name, current, body }: RoleWrite): void {
  const { access } = permission;
  const named = 'path' in access ? '' : access.name;
  if (may(permission, { verb: 'escalate', resource: type.resource, ...name, name: named })) return;
  refuseRules(permission, { type, name, rules: rulesIn(body) });
  if (!aggregates(body) && !aggregates(current)) return;
  const everything = { namespace: '', rules: EVERYTHING };
  if (escalation(permission.policy, permission.user, everything) === undefined) return;
  throw forbidden(type, name.name, 'must have cluster-admin privileges to use the aggregationRule');
}

function refuseBinding({ permission, type, name, body }: RoleWrite): void {
  const role = objectAt(body.roleRef) as unknown as RoleRef;
  const resource = role.kind === 'Role' ? 'roles' : 'clusterroles';
  const { namespace } = name;
  if (may(permission, { verb: 'bind', resource, namespace, name: role.name })) return;
  const rules = permission.policy.rulesOf(role, namespace);
  if (typeof rules === 'string') {
    throw new ApiError(404, 'NotFound', rules, {
      name: role.name,
      group: GROUP,
      kind: resource.slice(0, -1),
    });
  }
  refuseRules(permission, { type, name, rules });
}

interface Given {
  readonly type: ResourceType;
  readonly name: ObjectName;
  readonly rules: readonly PolicyRule[];
}

function refuseRules({ policy, user }: Permission, { type, name, rules }: Given): void {
  const why = escalation(policy, user, { namespace: name.namespace, rules });
  if (why !== undefined) throw forbidden(type, name.name, why);
}

interface Right {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

function may({ policy, user }: Permission, right: Right): boolean {
  return authorize(policy, user, { ...right, apiGroup: GROUP, subresource: '' }).allowed;
}

function rulesIn({ rules }: JsonObject): readonly PolicyRule[] {
  return (rules ?? []) as unknown as readonly PolicyRule[];
}

function aggregates(role: JsonObject | undefined): boolean {
  const { clusterRoleSelectors } = objectAt(role?.aggregationRule);
  return Array.isArray(clusterRoleSelectors) && clusterRoleSelectors.length > 0;
}

/** The object without fields that the garbage collector changes, and without managedFields. */
function withoutOwners(body: JsonObject): JsonObject {
  const { ownerReferences, finalizers, managedFields, ...metadata } = metadataOf(body);
  return { ...body, metadata };
}
