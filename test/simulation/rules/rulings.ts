import { type Collection, collectionOf, type JsonObject } from '../../../lib/json/index.ts';
import type { Deciding } from '../access/policies.ts';

const GROUP = 'admissionregistration.k8s.io';
const URL = `/apis/${GROUP}/v1`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const kind = (name: string) => ({ apiVersion: `${GROUP}/v1`, kind: name });
export const POLICIES: Collection = collectionOf(GROUP, 'validatingadmissionpolicies');
export const BINDINGS: Collection = collectionOf(GROUP, 'validatingadmissionpolicybindings');
export const MUTATING_POLICIES: Collection = collectionOf(GROUP, 'mutatingadmissionpolicies');
export const MUTATING_BINDINGS: Collection = collectionOf(GROUP, 'mutatingadmissionpolicybindings');
export const NAMESPACE = 'default';
export const MAPS_URL = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

/** The names of the policies. Each version of a policy admits ConfigMaps with one tag only. */
export const NAMES = ['one', 'two'] as const;
/** The tags that policies admit and that ConfigMaps have. */
export const TAGS = ['t0', 't1', 't2'] as const;

/** The name of the policy whose versions each set another value of the label `mark`. */
export const MARK = 'mark';

const MATCH = {
  matchConstraints: {
    resourceRules: [
      { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] },
    ],
  },
};

const MARKING: readonly Deciding[] = [
  {
    collection: MUTATING_POLICIES,
    sk: `/${MARK}`,
    url: `${URL}/mutatingadmissionpolicies/${MARK}`,
    body: (_chance, token) => ({
      ...kind('MutatingAdmissionPolicy'),
      metadata: { name: MARK, annotations: { token } },
      spec: {
        ...MATCH,
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: {
              expression: `Object{metadata: Object.metadata{labels: {"mark": "${token}"}}}`,
            },
          },
        ],
      },
    }),
  },
  {
    collection: MUTATING_BINDINGS,
    sk: `/${MARK}`,
    url: `${URL}/mutatingadmissionpolicybindings/${MARK}`,
    body: (_chance, token) => ({
      ...kind('MutatingAdmissionPolicyBinding'),
      metadata: { name: MARK, annotations: { token } },
      spec: { policyName: MARK },
    }),
  },
];

const ADMITTING: readonly Deciding[] = NAMES.flatMap((name) => [
  {
    collection: POLICIES,
    sk: `/${name}`,
    url: `${URL}/validatingadmissionpolicies/${name}`,
    body: (chance, token) => ({
      ...kind('ValidatingAdmissionPolicy'),
      metadata: { name, annotations: { token } },
      spec: {
        ...MATCH,
        validations: [{ expression: `object.data.tag == '${chance.pick(TAGS)}'` }],
      },
    }),
  } satisfies Deciding,
  {
    collection: BINDINGS,
    sk: `/${name}`,
    url: `${URL}/validatingadmissionpolicybindings/${name}`,
    body: (_chance, token) => ({
      ...kind('ValidatingAdmissionPolicyBinding'),
      metadata: { name, annotations: { token } },
      spec: { policyName: name, validationActions: ['Deny'] },
    }),
  } satisfies Deciding,
]);

/** The policies, and a binding of each. */
export const RULINGS: readonly Deciding[] = [...ADMITTING, ...MARKING];

/** The user that writes ConfigMaps beside the administrator, and what lets it. */
export const JANE = { username: 'jane', groups: ['system:authenticated'] };
export const GRANTS: readonly { readonly url: string; readonly body: JsonObject }[] = [
  {
    url: `${RBAC}/clusterroles/maps`,
    body: {
      metadata: { name: 'maps' },
      rules: [{ verbs: ['create', 'update'], apiGroups: [''], resources: ['configmaps'] }],
    },
  },
  {
    url: `${RBAC}/clusterrolebindings/maps`,
    body: {
      metadata: { name: 'maps' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maps' },
      subjects: [{ kind: 'User', name: JANE.username }],
    },
  },
];
