import { defineResourceTypes } from '../define-resource-types.ts';
import { array, object } from '../schema-fields.ts';

const RULES = { rules: array('What its holders may do.') };
const AGGREGATED = { ...RULES, aggregationRule: object('Which other roles it is made of.') };
export const BINDING = { subjects: array('The subjects of the role.'), roleRef: object('The role.') };

/** rbac.authorization.k8s.io/v1: the roles and bindings that define permissions. */
export const rbac = defineResourceTypes('rbac.authorization.k8s.io', 'v1', [
  {
    kind: 'ClusterRoleBinding',
    resource: 'clusterrolebindings',
    nameRule: 'path',
    description: 'ClusterRoleBinding says who holds a role everywhere.',
    scope: 'Cluster',
    properties: BINDING,
  },
  {
    kind: 'ClusterRole',
    resource: 'clusterroles',
    nameRule: 'path',
    description: 'ClusterRole is a list of what its holders may do in any namespace.',
    scope: 'Cluster',
    properties: AGGREGATED,
  },
  {
    kind: 'RoleBinding',
    resource: 'rolebindings',
    nameRule: 'path',
    description: 'RoleBinding says who holds a role in its namespace.',
    properties: BINDING,
  },
  {
    kind: 'Role',
    resource: 'roles',
    nameRule: 'path',
    description: 'Role is a list of what its holders may do in its namespace.',
    properties: RULES,
  },
]);
