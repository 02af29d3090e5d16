import { type Collection, collectionOf, type JsonObject } from '../../../lib/json/index.ts';
import type { Chance } from '../world/chance.ts';

export const NAMESPACE = 'default';
/** The users that roles are bound to. The AccessEntry maps the principal to one of them. */
export const USERS = ['jane', 'joe'] as const;
export const PRINCIPAL = 'arn:aws:iam::111122223333:role/Somebody';
/** Tags that several roles grant. Each version of a role also grants a tag that no other version does. */
const SHARED = ['t0', 't1', 't2'] as const;

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const WITHIN = `${RBAC}/namespaces/${NAMESPACE}`;
const ENTRIES_URL = '/apis/winnow.dev/v1/accessentries';
const PART = { part: 'whole' };

/** One of a few deciding objects, which many clients write. */
export interface Deciding {
  readonly collection: Collection;
  /** The sort key of its row. */
  readonly sk: string;
  readonly url: string;
  /** The body of the next write; no other version has the same `token`. */
  body(chance: Chance, token: string): JsonObject;
}

const rbac = (resource: string) => collectionOf('rbac.authorization.k8s.io', resource);
export const ROLES = rbac('roles');
export const CLUSTER_ROLES = rbac('clusterroles');
export const ROLE_BINDINGS = rbac('rolebindings');
export const CLUSTER_ROLE_BINDINGS = rbac('clusterrolebindings');
export const ENTRIES = collectionOf('winnow.dev', 'accessentries');

const SELF_REVIEWS = { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectrulesreviews'] };

/** Lets every user review its own permissions. */
export const BASICS: readonly Deciding[] = [
  clusterRole('basic', () => ({ rules: [{ verbs: ['create'], ...SELF_REVIEWS }] })),
  binding('basic', {
    roleRef: { kind: 'ClusterRole', name: 'basic' },
    subjectsOf: () => [{ kind: 'Group', name: 'system:authenticated' }],
  }),
];

/** Roles, their bindings, one role that aggregates others, and the AccessEntry of a principal. */
export const DECIDING: readonly Deciding[] = [
  ...['small', 'large'].map(role),
  ...['part', 'lone'].map((name) => clusterRole(name, given, name === 'part' ? PART : undefined)),
  clusterRole('whole', () => ({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: PART }] } })),
  binding('to-small', { roleRef: { kind: 'Role', name: 'small' }, within: true }),
  binding('to-large', { roleRef: { kind: 'Role', name: 'large' }, within: true }),
  binding('to-lone', { roleRef: { kind: 'ClusterRole', name: 'lone' }, within: true }),
  binding('to-part', { roleRef: { kind: 'ClusterRole', name: 'part' } }),
  binding('to-whole', { roleRef: { kind: 'ClusterRole', name: 'whole' } }),
  {
    collection: ENTRIES,
    sk: '/somebody',
    url: `${ENTRIES_URL}/somebody`,
    body: (chance, token) => ({
      apiVersion: 'winnow.dev/v1',
      kind: 'AccessEntry',
      metadata: { name: 'somebody', annotations: { token } },
      spec: { principal: PRINCIPAL, username: chance.pick(USERS) },
    }),
  },
];

function role(name: string): Deciding {
  return {
    collection: ROLES,
    sk: `${NAMESPACE}/${name}`,
    url: `${WITHIN}/roles/${name}`,
    body: (chance, token) => ({ ...envelope('Role', name, token), ...given(chance, token) }),
  };
}

function clusterRole(
  name: string,
  gives: (chance: Chance, token: string) => JsonObject,
  labels: Readonly<Record<string, string>> = {},
): Deciding {
  return {
    collection: CLUSTER_ROLES,
    sk: `/${name}`,
    url: `${RBAC}/clusterroles/${name}`,
    body: (chance, token) => ({ ...envelope('ClusterRole', name, token, labels), ...gives(chance, token) }),
  };
}

/** The rules that only this version has, and perhaps some that other roles have too. */
function given(chance: Chance, token: string): JsonObject {
  const resourceNames = [token, ...SHARED.filter(() => chance.chance(0.3))];
  return { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames }] };
}

interface Binding {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly within?: boolean;
  readonly subjectsOf?: (chance: Chance) => JsonObject[];
}

function binding(name: string, { roleRef, within = false, subjectsOf = anyUsers }: Binding): Deciding {
  const kind = within ? 'RoleBinding' : 'ClusterRoleBinding';
  return {
    collection: within ? ROLE_BINDINGS : CLUSTER_ROLE_BINDINGS,
    sk: `${within ? NAMESPACE : ''}/${name}`,
    url: within ? `${WITHIN}/rolebindings/${name}` : `${RBAC}/clusterrolebindings/${name}`,
    body: (chance, token) => ({
      ...envelope(kind, name, token),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
      subjects: subjectsOf(chance),
    }),
  };
}

function anyUsers(chance: Chance): JsonObject[] {
  return USERS.filter(() => chance.chance(0.7)).map((name) => ({ kind: 'User', name }));
}

function envelope(kind: string, name: string, token: string, labels: JsonObject = {}): JsonObject {
  const metadata = { name, labels, annotations: { token } };
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata };
}

/** A tag that some version of a role may have granted. */
export function anyTag(chance: Chance, tokens: readonly string[]): string {
  const latest = tokens.slice(-6);
  return latest.length === 0 || chance.chance(0.4) ? chance.pick(SHARED) : chance.pick(latest);
}
