/**
 * Names that the stack writes and the functions read. Free of any SDK, so that `infra/` and the runtime share
 * them and cannot drift.
 */

/** Environment variables of the functions. */
export const ENVIRONMENT = {
  /** Name of the DynamoDB table. */
  table: 'WINNOW_TABLE',
  /** URL of the FIFO event queue (hints to dispatch). */
  eventQueueUrl: 'WINNOW_EVENT_QUEUE_URL',
  /** URL of the FIFO reconcile queue. */
  reconcileQueueUrl: 'WINNOW_RECONCILE_QUEUE_URL',
  /** What the names of the queues that reconcile makes for subscriptions begin with, its hyphen included. */
  queuePrefix: 'WINNOW_QUEUE_PREFIX',
  /** What the ARNs of those queues begin with: all before their names. */
  queueArns: 'WINNOW_QUEUE_ARNS',
  /** `true` where the front door streams responses, `false` where a watch is a long poll. */
  streaming: 'WINNOW_STREAMING',
  /** What tokens have to be made for, as `aws eks get-token --cluster-name` takes it. */
  clusterId: 'WINNOW_CLUSTER_ID',
  /** Where the API is, with a slash at its end. */
  apiUrl: 'WINNOW_API_URL',
  /** The AWS partition whose principals may log in. */
  partition: 'WINNOW_PARTITION',
  /** JSON list of the ARNs of the principals that are let in, each as `parsePrincipal` spells it. */
  principals: 'WINNOW_PRINCIPALS',
  /** An emulator's STS, asked instead of AWS'. Never set in a stack that AWS runs. */
  stsEndpoint: 'WINNOW_STS_ENDPOINT',
} as const;

/** The tag of every queue made for a subscription; its value is what the stack's `queuePrefix` is. */
export const QUEUE_TAG = 'winnow:prefix';

/** The table's indexes and attributes that a table definition must name. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttl: 'ttl',
  /** `=`, `==`, `in`: partition `R#key=value`, sorted by object name. */
  byLabel: { name: 'by-label', partitionKey: 'byLabel', sortKey: 'name' },
  /** exists: partition `R#key`, sorted by object name. */
  byLabelKey: { name: 'by-label-key', partitionKey: 'byLabelKey', sortKey: 'name' },
  /** What every journal entry's partition key begins with: the stream is filtered by it. */
  journalPrefix: 'journal#',
  /** The same of every look that reconcile owes an object: so is the stream. */
  looksPrefix: 'looks#',
} as const;
