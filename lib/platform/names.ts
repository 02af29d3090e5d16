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
  /** `true` where the front door streams responses, `false` where a watch is a long poll. */
  streaming: 'WINNOW_STREAMING',
  /** ARN of the secret that holds the API's bearer token. */
  tokenSecretArn: 'WINNOW_TOKEN_SECRET_ARN',
} as const;

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
} as const;
