import { collectionOf, isJsonObject, type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { CLUSTER_ROLES, type Deciding } from '../access/policies.ts';
import type { Chance } from '../world/chance.ts';

export const NAMESPACE = 'default';
const ROLE = 'tenant';
const GRANTS_URL = '/apis/winnow.dev/v1';
export const GRANTS = collectionOf('winnow.dev', 'accessgrants');
export const CLUSTER_GRANTS = collectionOf('winnow.dev', 'clusteraccessgrants');

/** The role of tenants, for the objects that their grants select. */
export const TENANT_ROLE: Deciding = {
  collection: CLUSTER_ROLES,
  sk: `/${ROLE}`,
  url: `/apis/rbac.authorization.k8s.io/v1/clusterroles/${ROLE}`,
  body: (_, token) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: ROLE, annotations: { token } },
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['get', 'create', 'update', 'delete'], apiGroups: [''], resources: ['configmaps'] },
    ],
  }),
};

/** The same role in scenarios with every verb. */
export const EVERY_VERB_ROLE: Deciding = {
  ...TENANT_ROLE,
  body: (chance, token) => ({
    ...TENANT_ROLE.body(chance, token),
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'events'] },
      {
        verbs: ['get', 'create', 'update', 'delete', 'patch', 'deletecollection'],
        apiGroups: [''],
        resources: ['configmaps'],
      },
    ],
  }),
};

const APPS: readonly JsonObject[] = [
  { matchLabels: { app: 'x' } },
  { matchLabels: { app: 'y' } },
  { matchExpressions: [{ key: 'app', operator: 'In', values: ['x', 'z'] }] },
];
const SELECTORS: readonly JsonObject[] = [
  ...APPS,
  { matchLabels: { app: 'x', tier: 'a' } },
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['x'] }] },
  { matchExpressions: [{ key: 'canary', operator: 'DoesNotExist' }] },
];

/** Whether a tenant's grants cover all namespaces: every other tenant's do. */
export const isOfAll = (at: number) => at % 2 === 1;
export const nameOf = (at: number) => `tenant${at}`;

/**
 * The grants of a tenant: the first exists from the beginning, the other does not. Both are later changed, deleted and
 * created again.
 */
export function grantsOf(at: number): readonly [Deciding, Deciding] {
  return [grant(at, 'first', SELECTORS), grant(at, 'other', APPS)];
}

function grant(at: number, which: string, selectors: readonly JsonObject[]): Deciding {
  const who = nameOf(at);
  const name = `${who}-${which}`;
  const [kind, collection, namespace, place] = isOfAll(at)
    ? (['ClusterAccessGrant', CLUSTER_GRANTS, '', ''] as const)
    : (['AccessGrant', GRANTS, NAMESPACE, `/namespaces/${NAMESPACE}`] as const);
  return {
    collection,
    sk: `${namespace}/${name}`,
    url: `${GRANTS_URL}${place}/${kind.toLowerCase()}s/${name}`,
    body: (chance: Chance, token) => ({
      apiVersion: 'winnow.dev/v1',
      kind,
      metadata: { name, annotations: { token } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: ROLE },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: who }],
      labelSelector: chance.pick(selectors),
    }),
  };
}

/** The selector of a grant as text. Naive: reads the stored object. */
export function textOf({ labelSelector }: JsonObject): string {
  const { matchLabels, matchExpressions } = objectAt(labelSelector);
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.filter(isJsonObject) : [];
  return [
    ...Object.entries(objectAt(matchLabels ?? {})).map(([key, value]) => `${key} in (${value})`),
    ...expressions.map(({ key, operator, values }) => {
      if (operator === 'DoesNotExist') return `!${key}`;
      const list = Array.isArray(values) ? values.join() : '';
      return `${key} ${String(operator).toLowerCase()} (${list})`;
    }),
  ].join();
}
