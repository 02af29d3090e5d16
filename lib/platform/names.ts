/**
 * Names that the stack writes and the functions read. This module imports no SDK, so that `infra/` and the runtime
 * can share it and cannot drift apart.
 */

/** Environment variables of the functions. */
export const ENVIRONMENT = {
  /** Name of the DynamoDB table. */
  table: 'WINNOW_TABLE',
  /** Name of the function that fills journal gaps for the read-only functions. */
  fillFunction: 'WINNOW_FILL_FUNCTION',
  /** The most open watches of one user; absent means no limit. */
  watchesPerUser: 'WINNOW_WATCHES_PER_USER',
  /** The request rate of one user, `50/200` (a second, and burst); absent: no limit. */
  requestsPerUser: 'WINNOW_REQUESTS_PER_USER',
  /** The time after which delivery ends for a user that makes no requests; absent: `30d`. */
  authorNotSeenAfter: 'WINNOW_AUTHOR_NOT_SEEN_AFTER',
  /** The days for which Winnow keeps history; absent: 1. */
  historyDays: 'WINNOW_HISTORY_DAYS',
  /** URL of the FIFO event queue (hints to dispatch). */
  eventQueueUrl: 'WINNOW_EVENT_QUEUE_URL',
  /** URL of the FIFO reconcile queue. */
  reconcileQueueUrl: 'WINNOW_RECONCILE_QUEUE_URL',
  /** URL of the FIFO placement queue; absent where no pods are bound. */
  placementQueueUrl: 'WINNOW_PLACEMENT_QUEUE_URL',
  /** URLs of the queues with messages and events that functions gave up, separated by commas. */
  setAsideQueueUrls: 'WINNOW_SET_ASIDE_QUEUE_URLS',
  /** The `spec.schedulerName` of the pods that the binder binds. */
  schedulerName: 'WINNOW_SCHEDULER_NAME',
  /** The deployment's settings of kube-scheduler's profile, as JSON; absent: none. */
  schedulerProfile: 'WINNOW_SCHEDULER_PROFILE',
  /** `true` if the binder stores the world for starting processes; otherwise absent. */
  worldSnapshots: 'WINNOW_WORLD_SNAPSHOTS',
  /** The network of the addresses of Services; absent: `10.96.0.0/12`. */
  serviceClusterIPRange: 'WINNOW_SERVICE_CLUSTER_IP_RANGE',
  /** The webhook destinations that the operator permits, as JSON; `loopback` or `services` in a local run; absent: none. */
  webhooks: 'WINNOW_WEBHOOKS',
  /** `true` where pods run as service accounts; absent elsewhere. */
  serviceAccounts: 'WINNOW_SERVICE_ACCOUNTS',
  /** The prefix, with its hyphen, of the names of the queues that reconcile creates for subscriptions. */
  queuePrefix: 'WINNOW_QUEUE_PREFIX',
  /** The prefix of the ARNs of those queues: everything before the name. */
  queueArns: 'WINNOW_QUEUE_ARNS',
  /** ARN of the KMS key that the queues of subscriptions are encrypted with; absent: SQS' own. */
  queueKey: 'WINNOW_QUEUE_KEY',
  /** The other accounts that may receive what Subscriptions send (`readAccountBound`); absent: none. */
  consumers: 'WINNOW_CONSUMERS',
  /** The configured limits of Subscriptions and Tallies, as JSON (`readSubscribingLimits`); absent: the defaults. */
  subscribingLimits: 'WINNOW_SUBSCRIBING_LIMITS',
  /** `true` where `consumers` and the limits also apply to existing Subscriptions; absent elsewhere. */
  enforceLimits: 'WINNOW_ENFORCE_LIMITS',
  /** URL of the FIFO derive queue; absent where nothing is derived. */
  deriveQueueUrl: 'WINNOW_DERIVE_QUEUE_URL',
  /** The kinds of derived data (`DERIVABLE`), joined by commas; absent: none. */
  derived: 'WINNOW_DERIVED',
  /** `true` where API Gateway streams responses, `false` where a watch is a long poll. */
  streaming: 'WINNOW_STREAMING',
  /** `true` in a local run, where writes wake the watches of the same process; absent elsewhere. */
  signal: 'WINNOW_SIGNAL',
  /** The cluster id that tokens must name, as in `aws eks get-token --cluster-name`. */
  clusterId: 'WINNOW_CLUSTER_ID',
  /** The URL of the API, with a slash at its end. */
  apiUrl: 'WINNOW_API_URL',
  /** The AWS partition whose principals may log in. */
  partition: 'WINNOW_PARTITION',
  /** JSON list of the ARNs of the principals with all permissions, each as `parsePrincipal` spells it. */
  principals: 'WINNOW_PRINCIPALS',
  /** JSON list of the issuers (`JwtIssuer`) whose tokens are accepted besides principals' tokens; absent: none. */
  issuers: 'WINNOW_ISSUERS',
  /**
   * JSON list of further principals that may log in, with the permissions of their roles and bindings: ARNs and
   * account numbers. Absent: none.
   */
  members: 'WINNOW_MEMBERS',
  /** ARN of the KMS key that signs the tokens of service accounts; absent: none are issued. */
  tokenKey: 'WINNOW_TOKEN_KEY',
  /** An audit policy, `audit.k8s.io/v1`, as JSON; absent: no request is audited. */
  auditPolicy: 'WINNOW_AUDIT_POLICY',
  /** URL of the queue that receives audit events; absent: only the log holds them. */
  auditQueueUrl: 'WINNOW_AUDIT_QUEUE_URL',
  /** The URL of an emulator's STS, called instead of AWS'. Never set in a stack on AWS. */
  stsEndpoint: 'WINNOW_STS_ENDPOINT',
} as const;

/** The tag of every queue that Winnow creates for a subscription; its value is the stack's `queuePrefix`. */
export const QUEUE_TAG = 'winnow:prefix';

/** The canary's object, and the Subscription of the same name that selects it. */
export const CANARY = {
  collection: 'winnow.dev/canaries',
  namespace: 'kube-system',
  name: 'canary',
} as const;

/** The name of a label index: of one slot, or of all keys without a slot. */
export type LabelIndexName = `slot-${number}` | 'overflow';

export interface LabelIndex {
  readonly name: LabelIndexName;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/**
 * The indexes of label slots: partition `object#R`, sorted by the label's value and then by name. Each collection
 * decides which label key uses a slot (`lib/store/labels`). DynamoDB allows 20 indexes.
 */
const SLOTS: readonly LabelIndex[] = Array.from({ length: 16 }, (_, slot) => ({
  name: `slot-${slot}`,
  partitionKey: 'pk',
  sortKey: `v${slot}`,
}));

/** The index of all label keys without a slot: partition `R#key`, sorted in the same way. */
const OVERFLOW: LabelIndex = { name: 'overflow', partitionKey: 'k', sortKey: 'v' };

/**
 * The tag that a user-owned queue must have. Its value is the deployment's cluster id. Where limits are not enforced,
 * queues that were proved earlier may also carry the stack's `queuePrefix`.
 */
export const DELIVER_TAG = 'winnow:deliver';

/** The table's indexes and attributes that a table definition must name. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttl: 'ttl',
  slots: SLOTS,
  overflow: OVERFLOW,
  indexes: [...SLOTS, OVERFLOW],
  /** The attribute that an index contains besides keys. */
  projected: 'labels',
  /** The prefix of every journal entry's partition key; the stream is filtered by it. */
  journalPrefix: 'journal#',
  /** The prefix of every GC task's partition key; the stream is filtered by it too. */
  looksPrefix: 'looks#',
  /**
   * The resources that decide permissions or writes, by API group. Each is an attribute of the row that holds their
   * versions.
   */
  access: {
    'admissionregistration.k8s.io': [
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
    ],
    'rbac.authorization.k8s.io': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
    'winnow.dev': ['accessentries', 'accessgrants', 'clusteraccessgrants'],
  },
  /** The attribute of that row with the secret that encrypts tokens. */
  accessSecret: 'secret',
} as const;
