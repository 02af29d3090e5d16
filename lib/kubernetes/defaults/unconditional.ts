import type { JsonObject } from '../../json/index.ts';

const FILE_MODE = 0o644;
const ONE_HOUR = 3_600;
const HTTPS_PORT = 443;

/** The default selection of requests for webhooks and policies. */
const MATCH = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
const WEBHOOK = { ...MATCH, failurePolicy: 'Fail', timeoutSeconds: 10 };

/**
 * The defaults of each type's fields that do not depend on the rest of the object. A field is unset if it is null, or
 * zero unless it is a Go pointer.
 *
 * @see https://github.com/kubernetes/kubernetes/tree/v1.33.2/pkg/apis, the `defaults.go` of each group
 */
export const unconditional: Readonly<Record<string, JsonObject>> = {
  'core.v1.Container': {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  },
  'core.v1.EphemeralContainer': {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  },
  'core.v1.ContainerPort': { protocol: 'TCP' },
  'core.v1.Probe': { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  'core.v1.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'core.v1.GRPCAction': { service: '' },
  'core.v1.ObjectFieldSelector': { apiVersion: 'v1' },
  'core.v1.PodSpec': {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  },
  'core.v1.SecretVolumeSource': { defaultMode: FILE_MODE },
  'core.v1.ConfigMapVolumeSource': { defaultMode: FILE_MODE },
  'core.v1.DownwardAPIVolumeSource': { defaultMode: FILE_MODE },
  'core.v1.ProjectedVolumeSource': { defaultMode: FILE_MODE },
  'core.v1.ServiceAccountTokenProjection': { expirationSeconds: ONE_HOUR },
  'core.v1.HostPathVolumeSource': { type: '' },
  'core.v1.ISCSIVolumeSource': { iscsiInterface: 'default' },
  'core.v1.ISCSIPersistentVolumeSource': { iscsiInterface: 'default' },
  'core.v1.RBDVolumeSource': { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  'core.v1.RBDPersistentVolumeSource': { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  'core.v1.AzureDiskVolumeSource': {
    cachingMode: 'ReadWrite',
    kind: 'Shared',
    fsType: 'ext4',
    readOnly: false,
  },
  'core.v1.ScaleIOVolumeSource': { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  'core.v1.ScaleIOPersistentVolumeSource': { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  'core.v1.PersistentVolumeSpec': { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeStatus': { phase: 'Pending' },
  'core.v1.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeClaimStatus': { phase: 'Pending' },
  'core.v1.NamespaceStatus': { phase: 'Active' },
  'core.v1.ReplicationControllerSpec': { replicas: 1 },
  'core.v1.Secret': { type: 'Opaque' },
  'core.v1.ServiceSpec': { sessionAffinity: 'None', type: 'ClusterIP' },
  'core.v1.ServicePort': { protocol: 'TCP' },
  'core.v1.EndpointPort': { protocol: 'TCP' },
  'admissionregistration.v1.MatchResources': MATCH,
  'admissionregistration.v1.MutatingWebhook': { ...WEBHOOK, reinvocationPolicy: 'Never' },
  'admissionregistration.v1.NamedRuleWithOperations': { scope: '*' },
  'admissionregistration.v1.RuleWithOperations': { scope: '*' },
  'admissionregistration.v1.ServiceReference': { port: HTTPS_PORT },
  'admissionregistration.v1.MutatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.ValidatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.ValidatingWebhook': WEBHOOK,
  'apiregistration.v1.ServiceReference': { port: HTTPS_PORT },
  'apps.v1.DeploymentSpec': { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  'apps.v1.DeploymentStrategy': { type: 'RollingUpdate' },
  'apps.v1.RollingUpdateDeployment': { maxUnavailable: '25%', maxSurge: '25%' },
  'apps.v1.ReplicaSetSpec': { replicas: 1 },
  'apps.v1.DaemonSetSpec': { revisionHistoryLimit: 10 },
  'apps.v1.DaemonSetUpdateStrategy': { type: 'RollingUpdate' },
  'apps.v1.RollingUpdateDaemonSet': { maxUnavailable: 1, maxSurge: 0 },
  'apps.v1.StatefulSetSpec': {
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: 'OrderedReady',
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  },
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': { whenDeleted: 'Retain', whenScaled: 'Retain' },
  'apps.v1.StatefulSetUpdateStrategy': { type: 'RollingUpdate' },
  'apps.v1.RollingUpdateStatefulSetStrategy': { partition: 0 },
  'batch.v1.CronJobSpec': {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': { status: 'True' },
  'discovery.v1.EndpointPort': { name: '', protocol: 'TCP' },
  'flowcontrol.v1.ExemptPriorityLevelConfiguration': { nominalConcurrencyShares: 0, lendablePercent: 0 },
  'flowcontrol.v1.FlowSchemaSpec': { matchingPrecedence: 1_000 },
  'flowcontrol.v1.LimitedPriorityLevelConfiguration': { nominalConcurrencyShares: 30, lendablePercent: 0 },
  'flowcontrol.v1.QueuingConfiguration': { queues: 64, handSize: 8, queueLengthLimit: 50 },
  'networking.v1.IngressClassParametersReference': { scope: 'Cluster' },
  'networking.v1.NetworkPolicyPort': { protocol: 'TCP' },
  'autoscaling.v1.HorizontalPodAutoscalerSpec': { minReplicas: 1 },
  'autoscaling.v2.HorizontalPodAutoscalerSpec': { minReplicas: 1 },
  'rbac.v1.RoleRef': { apiGroup: 'rbac.authorization.k8s.io' },
  'scheduling.v1.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' },
  'storage.v1.StorageClass': { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  'storage.v1.CSIDriverSpec': {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  },
};
