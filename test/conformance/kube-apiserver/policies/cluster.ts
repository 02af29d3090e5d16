import type { JsonObject } from '../../../../lib/json/index.ts';
import type { UserInfo } from '../../../../lib/server/index.ts';

/** A kind of a resource or of a subresource, as the Go program reads it. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly namespaced: boolean;
  /** Resources of one identity hold the same objects; `''` for the group and the resource. */
  readonly identity: string;
}

const CORE = ['', 'v1'] as const;
const APPS = ['apps', 'v1'] as const;
const OWN = ['example.org', 'v1'] as const;
const OTHER = ['example.org', 'v2'] as const;

/** The resources that the writes are about, and that parameters are of. */
export const KINDS: readonly ServedKind[] = [
  kindOf(CORE, 'configmaps', 'ConfigMap'),
  kindOf(CORE, 'secrets', 'Secret'),
  kindOf(CORE, 'pods', 'Pod'),
  kindOf(CORE, 'pods/status', 'Pod'),
  kindOf(CORE, 'pods/eviction', 'Eviction', { kind: { group: 'policy', version: 'v1', kind: 'Eviction' } }),
  kindOf(CORE, 'pods/exec', 'PodExecOptions'),
  kindOf(APPS, 'deployments', 'Deployment'),
  kindOf(APPS, 'deployments/status', 'Deployment'),
  kindOf(APPS, 'deployments/scale', 'Scale', scale()),
  kindOf(['autoscaling', 'v1'], 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'),
  kindOf(['autoscaling', 'v2'], 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'),
  kindOf(CORE, 'events', 'Event', { identity: 'events' }),
  kindOf(['events.k8s.io', 'v1'], 'events', 'Event', { identity: 'events' }),
  kindOf(CORE, 'namespaces', 'Namespace', { namespaced: false }),
  kindOf(CORE, 'nodes', 'Node', { namespaced: false }),
  kindOf(OWN, 'widgets', 'Widget'),
  kindOf(OTHER, 'widgets', 'Widget'),
  kindOf(OWN, 'widgets/status', 'Widget'),
  kindOf(OTHER, 'widgets/status', 'Widget'),
  kindOf(OWN, 'widgets/scale', 'Scale', scale()),
  kindOf(OTHER, 'widgets/scale', 'Scale', scale()),
  kindOf(OWN, 'gadgets', 'Gadget', { namespaced: false }),
  kindOf(OWN, 'limits', 'Limit'),
  kindOf(OWN, 'biglimits', 'BigLimit', { namespaced: false }),
];

function scale() {
  return { kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } };
}

function kindOf(
  [group, version]: readonly [string, string],
  path: string,
  kind: string,
  more: Partial<ServedKind> = {},
): ServedKind {
  const [resource = '', subresource = ''] = path.split('/');
  const own = { group, version, kind };
  return { group, version, resource, subresource, kind: own, namespaced: true, identity: '', ...more };
}

/** Returns the kind of a resource, such as `apps/v1/deployments/scale`. */
export function served(path: string): ServedKind {
  const found = KINDS.find((each) => nameOf(each) === path);
  if (found === undefined) throw new Error(`no kind is served at ${path}; add it to KINDS`);
  return found;
}

/** Returns the group, version, resource and subresource of a kind, without empty parts. */
export function nameOf({ group, version, resource, subresource }: ServedKind): string {
  return [group, version, resource, subresource].filter((part) => part !== '').join('/');
}

/** Returns the path of the objects of a kind. */
export function pathOf({ group, version, resource, namespaced }: ServedKind, namespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/${namespace}/${resource}` : `${root}/${resource}`;
}

/** The definitions of the custom kinds. */
export const DEFINITIONS: readonly JsonObject[] = [
  definition('widgets', 'Widget', 'Namespaced', ['v1', 'v2'], {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  }),
  definition('gadgets', 'Gadget', 'Cluster', ['v1']),
  definition('limits', 'Limit', 'Namespaced', ['v1']),
  definition('biglimits', 'BigLimit', 'Cluster', ['v1']),
];

function definition(
  plural: string,
  kind: string,
  scope: string,
  versions: readonly string[],
  subresources?: JsonObject,
): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      scope,
      names: { kind, plural },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        schema,
        ...(subresources !== undefined && { subresources }),
      })),
    },
  };
}

/** The callers of the writes. */
export const USERS = {
  admin: { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'], extra: {} },
  jane: {
    username: 'jane',
    uid: 'uid-of-jane',
    groups: ['devs', 'system:authenticated'],
    extra: { team: ['red', 'blue'] },
  },
  robot: {
    username: 'system:serviceaccount:a:robot',
    uid: 'uid-of-robot',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
    extra: {},
  },
} as const satisfies Record<string, UserInfo>;

const RBAC = 'rbac.authorization.k8s.io';

export const binding = (name: string, subjects: readonly JsonObject[]): JsonObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects: [...subjects],
});

export const role = (name: string, rules: readonly JsonObject[]): JsonObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules: [...rules],
});

export const GROUP_OF_DEVS: JsonObject = { apiGroup: RBAC, kind: 'Group', name: 'devs' };
export const JANE: JsonObject = { apiGroup: RBAC, kind: 'User', name: 'jane' };
export const ROBOT: JsonObject = { kind: 'ServiceAccount', namespace: 'a', name: 'robot' };

/** The role by which the callers may write. The verbs of the expressions are others. */
export const WRITERS = role('writers', [
  {
    apiGroups: ['', 'apps', 'autoscaling', 'events.k8s.io', 'example.org'],
    resources: ['*'],
    verbs: ['get', 'create', 'update', 'patch', 'delete'],
  },
]);
