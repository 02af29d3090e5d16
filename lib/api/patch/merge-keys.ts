/**
 * Which lists of the built-in types a strategic merge patch merges, and by which key: the `patchStrategy` and
 * `patchMergeKey` tags of k8s.io/api v0.37.2 (Kubernetes 1.37), read by reflection from the Go types of core/v1,
 * apps/v1, batch/v1, networking.k8s.io/v1, discovery.k8s.io/v1 and coordination.k8s.io/v1.
 *
 * Only types that lead to a merged list are here; every list that is not named is atomic. The `retainKeys` tags
 * are not: they tell a client when to send `$retainKeys`, which is obeyed wherever it stands.
 */

/**
 * - `'T'`: an object of type T
 * - `[]`: a set of primitives
 * - `['k']`: a list of objects merged by their field k
 * - `['k', 'T']`: the same, its elements of type T
 */
type Field =
  | string
  | readonly []
  | readonly [mergeKey: string]
  | readonly [mergeKey: string, element: string];

const TYPES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  ComponentStatus: { conditions: ['type'], metadata: 'ObjectMeta' },
  Container: {
    env: ['name'],
    ports: ['containerPort'],
    volumeDevices: ['devicePath'],
    volumeMounts: ['mountPath'],
  },
  CronJob: { metadata: 'ObjectMeta', spec: 'CronJobSpec' },
  CronJobSpec: { jobTemplate: 'JobTemplateSpec' },
  DaemonSet: { metadata: 'ObjectMeta', spec: 'DaemonSetSpec', status: 'DaemonSetStatus' },
  DaemonSetSpec: { template: 'PodTemplateSpec' },
  DaemonSetStatus: { conditions: ['type'] },
  Deployment: { metadata: 'ObjectMeta', spec: 'DeploymentSpec', status: 'DeploymentStatus' },
  DeploymentSpec: { template: 'PodTemplateSpec' },
  DeploymentStatus: { conditions: ['type'] },
  EphemeralContainer: {
    env: ['name'],
    ports: ['containerPort'],
    volumeDevices: ['devicePath'],
    volumeMounts: ['mountPath'],
  },
  EphemeralVolumeSource: { volumeClaimTemplate: 'PersistentVolumeClaimTemplate' },
  Job: { metadata: 'ObjectMeta', spec: 'JobSpec', status: 'JobStatus' },
  JobSchedulingConfiguration: { resourceClaims: ['name'] },
  JobSpec: { scheduling: 'JobSchedulingConfiguration', template: 'PodTemplateSpec' },
  JobStatus: { conditions: ['type'] },
  JobTemplateSpec: { metadata: 'ObjectMeta', spec: 'JobSpec' },
  Namespace: { metadata: 'ObjectMeta', status: 'NamespaceStatus' },
  NamespaceStatus: { conditions: ['type'] },
  Node: { metadata: 'ObjectMeta', spec: 'NodeSpec', status: 'NodeStatus' },
  NodeAllocatableResourceClaimStatus: { mapping: ['name'], overhead: ['name'] },
  NodeSpec: { podCIDRs: [] },
  NodeStatus: { addresses: ['type'], conditions: ['type'] },
  ObjectMeta: { finalizers: [], ownerReferences: ['uid'] },
  PersistentVolumeClaim: { metadata: 'ObjectMeta', status: 'PersistentVolumeClaimStatus' },
  PersistentVolumeClaimStatus: { conditions: ['type'], healthStatus: 'VolumeHealthStatus' },
  PersistentVolumeClaimTemplate: { metadata: 'ObjectMeta' },
  Pod: { metadata: 'ObjectMeta', spec: 'PodSpec', status: 'PodStatus' },
  PodSpec: {
    containers: ['name', 'Container'],
    ephemeralContainers: ['name', 'EphemeralContainer'],
    evictionResponders: ['name'],
    hostAliases: ['ip'],
    imagePullSecrets: ['name'],
    initContainers: ['name', 'Container'],
    resourceClaims: ['name'],
    schedulingGates: ['name'],
    topologySpreadConstraints: ['topologyKey'],
    volumes: ['name', 'Volume'],
  },
  PodStatus: {
    conditions: ['type'],
    hostIPs: ['ip'],
    nodeAllocatableResourceClaimStatuses: ['resourceClaimName', 'NodeAllocatableResourceClaimStatus'],
    podIPs: ['ip'],
    resourceClaimStatuses: ['name'],
  },
  PodTemplate: { metadata: 'ObjectMeta', template: 'PodTemplateSpec' },
  PodTemplateSpec: { metadata: 'ObjectMeta', spec: 'PodSpec' },
  ReplicaSet: { metadata: 'ObjectMeta', spec: 'ReplicaSetSpec', status: 'ReplicaSetStatus' },
  ReplicaSetSpec: { template: 'PodTemplateSpec' },
  ReplicaSetStatus: { conditions: ['type'] },
  ReplicationController: {
    metadata: 'ObjectMeta',
    spec: 'ReplicationControllerSpec',
    status: 'ReplicationControllerStatus',
  },
  ReplicationControllerSpec: { template: 'PodTemplateSpec' },
  ReplicationControllerStatus: { conditions: ['type'] },
  Service: { metadata: 'ObjectMeta', spec: 'ServiceSpec', status: 'ServiceStatus' },
  ServiceAccount: { metadata: 'ObjectMeta', secrets: ['name'] },
  ServiceCIDR: { metadata: 'ObjectMeta', status: 'ServiceCIDRStatus' },
  ServiceCIDRStatus: { conditions: ['type'] },
  ServiceSpec: { ports: ['port'] },
  ServiceStatus: { conditions: ['type'] },
  StatefulSet: { metadata: 'ObjectMeta', spec: 'StatefulSetSpec', status: 'StatefulSetStatus' },
  StatefulSetSpec: { template: 'PodTemplateSpec' },
  StatefulSetStatus: { conditions: ['type'] },
  Volume: { ephemeral: 'EphemeralVolumeSource' },
  VolumeHealthStatus: { healthConditions: ['status'] },
};

/** By API group, the kinds that have merged lists of their own; those of all other kinds are ObjectMeta's. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '': [
    'ComponentStatus',
    'Namespace',
    'Node',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'Service',
    'ServiceAccount',
  ],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  batch: ['CronJob', 'Job'],
  'networking.k8s.io': ['ServiceCIDR'],
};

/** How the content of one object merges. */
export interface MergeRules {
  /** Rules for the object in `field`. */
  object(field: string): MergeRules;
  /** How the list in `field` merges; undefined if it is atomic, that is replaced as a whole. */
  list(field: string): ListRule | undefined;
}

export interface ListRule {
  /** Undefined for a set of primitives. */
  readonly mergeKey: string | undefined;
  readonly element: MergeRules;
}

const ANY_OBJECT = rulesOf({ metadata: 'ObjectMeta' });

/** The rules of a built-in kind, from its root. */
export function mergeRules(group: string, kind: string): MergeRules {
  const kinds = Object.hasOwn(KINDS, group) ? KINDS[group] : undefined;
  return kinds?.includes(kind) ? rulesOf(typeNamed(kind)) : ANY_OBJECT;
}

function rulesOf(fields: Readonly<Record<string, Field>>): MergeRules {
  const fieldNamed = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  return {
    object(name) {
      const field = fieldNamed(name);
      return rulesOf(typeof field === 'string' ? typeNamed(field) : {});
    },
    list(name) {
      const field = fieldNamed(name);
      if (field === undefined || typeof field === 'string') return undefined;
      const [mergeKey, element] = field;
      return { mergeKey, element: rulesOf(element === undefined ? {} : typeNamed(element)) };
    },
  };
}

function typeNamed(name: string): Readonly<Record<string, Field>> {
  return (Object.hasOwn(TYPES, name) ? TYPES[name] : undefined) ?? {};
}
