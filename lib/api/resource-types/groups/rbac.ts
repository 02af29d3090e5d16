import type { JsonObject } from '../../../store/index.ts';
import { AGE, CREATED_AT, NAME, text, wide } from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';
import type { Column } from '../resource-type.ts';
import { array, object } from '../schema-fields.ts';

const RULES = { rules: array('What its holders may do.') };
const AGGREGATED = { ...RULES, aggregationRule: object('Which other roles it is made of.') };
const BINDING = { subjects: array('Who holds the role.'), roleRef: object('The role.') };

/** Roles have no age, but when they were created. */
const ROLE_COLUMNS: readonly Column[] = [NAME, CREATED_AT];

const BINDING_COLUMNS: readonly Column[] = [
  NAME,
  text('Role', 'The role that is held.', (o) => `${textAt(o, 'roleRef.kind')}/${textAt(o, 'roleRef.name')}`),
  AGE,
  wide(text('Users', 'Users that hold the role.', (o) => subjects(o, 'User'))),
  wide(text('Groups', 'Groups that hold the role.', (o) => subjects(o, 'Group'))),
  wide(text('ServiceAccounts', 'Service accounts that hold the role.', (o) => subjects(o, 'ServiceAccount'))),
];

/** rbac.authorization.k8s.io/v1: inventory. Nobody is let in or refused by it here. */
export const rbac = defineResourceTypes('rbac.authorization.k8s.io', 'v1', [
  {
    kind: 'ClusterRoleBinding',
    resource: 'clusterrolebindings',
    nameRule: 'path',
    description: 'ClusterRoleBinding says who holds a role everywhere.',
    scope: 'Cluster',
    columns: BINDING_COLUMNS,
    properties: BINDING,
  },
  {
    kind: 'ClusterRole',
    resource: 'clusterroles',
    nameRule: 'path',
    description: 'ClusterRole is a list of what its holders may do in any namespace.',
    scope: 'Cluster',
    columns: ROLE_COLUMNS,
    properties: AGGREGATED,
  },
  {
    kind: 'RoleBinding',
    resource: 'rolebindings',
    nameRule: 'path',
    description: 'RoleBinding says who holds a role in its namespace.',
    columns: BINDING_COLUMNS,
    properties: BINDING,
  },
  {
    kind: 'Role',
    resource: 'roles',
    nameRule: 'path',
    description: 'Role is a list of what its holders may do in its namespace.',
    columns: ROLE_COLUMNS,
    properties: RULES,
  },
]);

function subjects(binding: JsonObject, kind: string): string {
  const found = listAt(binding, 'subjects').filter((subject) => textAt(subject, 'kind') === kind);
  const names = found.map((subject) => {
    const name = textAt(subject, 'name');
    return kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${name}` : name;
  });
  return names.join(', ');
}
