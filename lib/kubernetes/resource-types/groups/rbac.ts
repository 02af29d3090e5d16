import { defineResourceTypes } from '../define-resource-types.ts';

/** rbac.authorization.k8s.io/v1: the roles and bindings that define permissions. */
export const rbac = defineResourceTypes('rbac.authorization.k8s.io', 'v1', [
  {
    kind: 'ClusterRoleBinding',
    resource: 'clusterrolebindings',
    createOnUpdate: true,
    decides: 'permissions',
    nameRule: 'path',
    scope: 'Cluster',
  },
  {
    kind: 'ClusterRole',
    resource: 'clusterroles',
    createOnUpdate: true,
    decides: 'permissions',
    nameRule: 'path',
    scope: 'Cluster',
  },
  {
    kind: 'RoleBinding',
    resource: 'rolebindings',
    createOnUpdate: true,
    decides: 'permissions',
    nameRule: 'path',
  },
  {
    kind: 'Role',
    resource: 'roles',
    createOnUpdate: true,
    decides: 'permissions',
    nameRule: 'path',
  },
]);
