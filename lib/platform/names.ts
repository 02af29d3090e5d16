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

/** A label index: of a slot, or of all keys that have none. */
export type LabelIndexName = `slot-${number}` | 'overflow';

export interface LabelIndex {
  readonly name: LabelIndexName;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/**
 * The objects that carry a value in one slot: partition `object#R`, sorted by the value and then by name. Which label
 * key a slot is for, the collection says (`lib/store/labels`). DynamoDB allows 20 indexes.
 */
const SLOTS: readonly LabelIndex[] = Array.from({ length: 16 }, (_, slot) => ({
  name: `slot-${slot}`,
  partitionKey: 'pk',
  sortKey: `v${slot}`,
}));

/** The entries of all other label keys: partition `R#key`, sorted in the same way. */
const OVERFLOW: LabelIndex = { name: 'overflow', partitionKey: 'k', sortKey: 'v' };

/** The tag that a queue of somebody's own has to have; its value too is the stack's `queuePrefix`. */
export const DELIVER_TAG = 'winnow:deliver';

/** The table's indexes and attributes that a table definition must name. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttl: 'ttl',
  slots: SLOTS,
  overflow: OVERFLOW,
  indexes: [...SLOTS, OVERFLOW],
  /** What an index carries beside keys. */
  projected: 'labels',
  /** What every journal entry's partition key begins with: the stream is filtered by it. */
  journalPrefix: 'journal#',
  /** The same of every look that reconcile owes an object: so is the stream. */
  looksPrefix: 'looks#',
} as const;
