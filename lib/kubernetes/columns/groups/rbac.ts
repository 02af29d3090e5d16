import type { JsonObject } from '../../../json/index.ts';
import { type Column, listAt, textAt } from '../../resource-types/index.ts';
import { AGE, CREATED_AT, NAME, text, wide } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** The columns of roles, which show the creation time instead of the age. */
const ROLE_COLUMNS: readonly Column[] = [NAME, CREATED_AT];

export const ROLE: Column = text(
  'Role',
  'The granted role.',
  (o) => `${textAt(o, 'roleRef.kind')}/${textAt(o, 'roleRef.name')}`,
);

/** The columns of a binding's subjects. */
export const HOLDERS: readonly Column[] = [
  wide(text('Users', 'Users that hold the role.', (o) => subjects(o, 'User'))),
  wide(text('Groups', 'Groups that hold the role.', (o) => subjects(o, 'Group'))),
  wide(text('ServiceAccounts', 'Service accounts that hold the role.', (o) => subjects(o, 'ServiceAccount'))),
];

const BINDING_COLUMNS: readonly Column[] = [NAME, ROLE, AGE, ...HOLDERS];

/** rbac.authorization.k8s.io/v1 */
export const rbac: ColumnsByKind = {
  ClusterRoleBinding: BINDING_COLUMNS,
  ClusterRole: ROLE_COLUMNS,
  RoleBinding: BINDING_COLUMNS,
  Role: ROLE_COLUMNS,
};

function subjects(binding: JsonObject, kind: string): string {
  const found = listAt(binding, 'subjects').filter((subject) => textAt(subject, 'kind') === kind);
  const names = found.map((subject) => {
    const name = textAt(subject, 'name');
    return kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${name}` : name;
  });
  return names.join(', ');
}
