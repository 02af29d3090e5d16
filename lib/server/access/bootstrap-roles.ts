import type { JsonObject, JsonValue } from '../../json/index.ts';
import { HISTORY, isStored, resourceTypes } from '../../kubernetes/resource-types/index.ts';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The kinds with history, as `group/resource`. */
const STORED = new Set(resourceTypes.filter(isStored).map(({ group, resource }) => `${group}/${resource}`));

const GROUP = 'rbac.authorization.k8s.io';
const EVERYBODY = ['system:authenticated'];

interface BootstrapRole {
  readonly name: string;
  /** The role that aggregates this role and others. */
  readonly partOf?: string;
  /** Whether the role aggregates the roles that name it in `partOf`. */
  readonly isMade?: boolean;
  readonly rules: readonly JsonObject[];
}

/**
 * The user-facing and discovery roles that every cluster has, with the rules of Kubernetes 1.33
 * (k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy) and with rules for Winnow's own kinds.
 */
const ROLES: readonly BootstrapRole[] = [
  {
    name: 'cluster-admin',
    rules: [objects(['*'], '*', '*'), paths(['*'], '*')],
  },
  {
    name: 'admin',
    isMade: true,
    rules: [],
  },
  {
    name: 'edit',
    partOf: 'admin',
    isMade: true,
    rules: [],
  },
  {
    name: 'view',
    partOf: 'edit',
    isMade: true,
    rules: [],
  },
  {
    name: 'system:aggregate-to-admin',
    partOf: 'admin',
    rules: [
      objects(['create'], 'authorization.k8s.io', 'localsubjectaccessreviews'),
      objects(ALL, 'rbac.authorization.k8s.io', 'rolebindings roles'),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    partOf: 'edit',
    rules: [
      objects(READ, '', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
      objects(['impersonate'], '', 'serviceaccounts'),
      objects(WRITE, '', 'pods pods/attach pods/exec pods/portforward pods/proxy'),
      objects(['create'], '', 'pods/eviction'),
      objects(
        WRITE,
        '',
        'configmaps events persistentvolumeclaims replicationcontrollers',
        'replicationcontrollers/scale secrets serviceaccounts services',
        'services/proxy',
      ),
      objects(['create'], '', 'serviceaccounts/token'),
      objects(
        WRITE,
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets',
        'replicasets/scale statefulsets statefulsets/scale',
      ),
      objects(WRITE, 'autoscaling', 'horizontalpodautoscalers'),
      objects(WRITE, 'batch', 'cronjobs jobs'),
      objects(
        WRITE,
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses',
        'networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ),
      objects(WRITE, 'policy', 'poddisruptionbudgets'),
      objects(WRITE, 'networking.k8s.io', 'ingresses networkpolicies'),
      objects(ALL, 'coordination.k8s.io', 'leases'),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    partOf: 'view',
    rules: [
      objects(
        READ,
        '',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status',
        'pods replicationcontrollers replicationcontrollers/scale serviceaccounts',
        'services services/status',
      ),
      objects(
        READ,
        '',
        'bindings events limitranges namespaces/status pods/log pods/status',
        'replicationcontrollers/status resourcequotas resourcequotas/status',
      ),
      objects(READ, '', 'namespaces'),
      objects(READ, 'discovery.k8s.io', 'endpointslices'),
      objects(
        READ,
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments',
        'deployments/scale deployments/status replicasets replicasets/scale',
        'replicasets/status statefulsets statefulsets/scale statefulsets/status',
      ),
      objects(READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      objects(READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      objects(
        READ,
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale',
        'deployments/status ingresses ingresses/status networkpolicies replicasets',
        'replicasets/scale replicasets/status replicationcontrollers/scale',
      ),
      objects(READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      objects(READ, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
    ],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      objects(['create'], 'authentication.k8s.io', 'tokenreviews'),
      objects(['create'], 'authorization.k8s.io', 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      objects(['create'], 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      objects(['create'], 'authentication.k8s.io', 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:discovery',
    rules: [
      paths(
        ['get'],
        '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
      ),
    ],
  },
  {
    name: 'system:monitoring',
    rules: [paths(['get'], '/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*')],
  },
  {
    name: 'system:public-info-viewer',
    rules: [paths(['get'], '/healthz /livez /readyz /version /version/')],
  },
  {
    name: 'winnow:aggregate-to-edit',
    partOf: 'edit',
    rules: [objects(WRITE, 'winnow.dev', 'subscriptions tallies')],
  },
  {
    name: 'winnow:aggregate-to-view',
    partOf: 'view',
    rules: [objects(READ, 'winnow.dev', 'subscriptions subscriptions/status tallies tallies/status')],
  },
];

/**
 * Roles for the history of each kind that a role lets its users read. They are apart, so that existing tables get them
 * too. Secrets are left out: their history has values that an administrator replaced.
 */
const HISTORY_ROLES: readonly BootstrapRole[] = ['admin', 'edit', 'view'].map((partOf) => ({
  name: `winnow:aggregate-history-to-${partOf}`,
  partOf,
  rules: ROLES.filter((role) => role.partOf === partOf && role.isMade !== true).flatMap(historyRules),
}));

function historyRules({ rules }: BootstrapRole): JsonObject[] {
  return rules.flatMap(({ verbs, apiGroups, resources }) => {
    const [group = ''] = texts(apiGroups);
    const kept = texts(resources).filter(
      (resource) => resource !== 'secrets' && STORED.has(`${group}/${resource}`),
    );
    if (!texts(verbs).includes('get') || kept.length === 0) return [];
    return [objects(['get', 'list'], group, ...kept.map((resource) => `${resource}/${HISTORY.name}`))];
  });
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** @param resources names, separated by spaces; several texts count as one */
function objects(verbs: string[], group: string, ...resources: readonly string[]): JsonObject {
  return { verbs, apiGroups: [group], resources: resources.flatMap((text) => text.split(' ')) };
}

function paths(verbs: string[], urls: string): JsonObject {
  return { verbs, nonResourceURLs: urls.split(' ') };
}

/** The groups that each role is bound to. */
const BINDINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['cluster-admin', ['system:masters']],
  ['system:basic-user', EVERYBODY],
  ['system:discovery', EVERYBODY],
  ['system:monitoring', ['system:monitoring']],
  ['system:public-info-viewer', [...EVERYBODY, 'system:unauthenticated']],
]);

/** The ClusterRoles and ClusterRoleBindings of a new cluster, as in Kubernetes. */
export const BOOTSTRAP_ROLES: readonly JsonObject[] = [
  ...ROLES.map(roleOf),
  ...HISTORY_ROLES.map(roleOf),
  ...[...BINDINGS].map(bindingOf),
];

function roleOf({ name, partOf, isMade = false, rules }: BootstrapRole): JsonObject {
  const aggregates = (to: string) => ({ [`${GROUP}/aggregate-to-${to}`]: 'true' });
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: aggregates(name) }] };
  return {
    ...envelope('ClusterRole', name, partOf === undefined ? {} : aggregates(partOf)),
    ...(isMade ? { aggregationRule } : {}),
    rules: isMade ? null : [...rules],
  };
}

function bindingOf([name, groups]: readonly [string, readonly string[]]): JsonObject {
  return {
    ...envelope('ClusterRoleBinding', name, {}),
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ apiGroup: GROUP, kind: 'Group', name: group })),
  };
}

function envelope(kind: string, name: string, labels: Readonly<Record<string, string>>): JsonObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: {
      name,
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    },
  };
}
