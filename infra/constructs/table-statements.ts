import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { TABLE } from '../../lib/platform/index.ts';
import type { Table } from './table.ts';
import type { WinnowFunction } from './winnow-function.ts';

/** What the partition keys of one kind of row begin with; `lib/store/keys.ts` spells them. */
export type RowKind =
  | 'object'
  | 'slots'
  | 'labels'
  | 'journal'
  | 'relabel'
  | 'tombstone'
  | 'head'
  | 'subscriptions'
  | 'tally'
  | 'owner'
  | 'looks'
  | 'turn'
  | 'reservation'
  | 'anchor'
  | 'due'
  | 'sweeps'
  | 'placer'
  | 'snapshot'
  | 'access'
  | 'schema'
  | 'collections'
  | 'watches'
  | 'proof'
  | 'budget'
  | 'seen';

/** Which kinds of rows a function changes, and how. */
export interface Changes {
  readonly put?: readonly RowKind[];
  readonly update?: readonly RowKind[];
  readonly delete?: readonly RowKind[];
  readonly check?: readonly RowKind[];
}

const KEYS = [TABLE.partitionKey, TABLE.sortKey];
const ACTIONS = {
  put: ['PutRows', 'PutItem'],
  update: ['UpdateRows', 'UpdateItem'],
  delete: ['DeleteRows', 'DeleteItem'],
  check: ['CheckRows', 'ConditionCheckItem'],
} as const;

/** Whoever reads any row reads the schema row first. */
export function readRows(table: Table, ...kinds: readonly RowKind[]): PolicyStatementProps {
  return onRows(table, 'ReadRows', ['GetItem', 'BatchGetItem', 'Query'], [...kinds, 'schema']);
}

/** The same of the rows of some collections alone, where it was of those of all; rows that are no collection's stay. */
export function ofCollections(
  statement: PolicyStatementProps,
  ...collections: readonly string[]
): PolicyStatementProps {
  const { 'ForAllValues:StringLike': leading, ...others } = statement.conditions ?? {};
  const kinds: readonly string[] = leading['dynamodb:LeadingKeys'];
  const keys = kinds.flatMap((kind) =>
    kind === 'schema#*'
      ? [kind]
      : collections.map((collection) =>
          kind.replace('*', `${collection}${ONE_A_COLLECTION.has(kind) ? '' : '#*'}`),
        ),
  );
  return {
    ...statement,
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys }, ...others },
  };
}

/** Kinds of rows that have one partition for a collection. The keys of others go on behind it. */
const ONE_A_COLLECTION: ReadonlySet<string> = new Set(['object#*', 'slots#*', 'head#*']);

export function queryIndexes({ table }: Table): PolicyStatementProps {
  return {
    sid: 'QueryIndexes',
    actions: ['dynamodb:Query'],
    resources: TABLE.indexes.map(({ name }) => `${table.tableArn}/index/${name}`),
  };
}

/** One statement for each way of changing. A transaction needs those of its parts, and nothing of its own. */
export function changeRows(table: Table, changes: Changes): PolicyStatementProps[] {
  const ways = Object.entries(changes) as [keyof Changes, readonly RowKind[]][];
  return ways.map(([way, kinds]) => onRows(table, ACTIONS[way][0], [ACTIONS[way][1]], kinds));
}

/** Journal entries that say that somebody gave up, and no others: they have no body. */
export function fillHoles(table: Table): PolicyStatementProps {
  return withAttributes(onRows(table, 'FillHoles', ['PutItem'], ['journal']), ['hole', 'time', TABLE.ttl]);
}

/** The function that puts them for those who only read. */
export function invoke({ function: one }: WinnowFunction): PolicyStatementProps {
  return { sid: 'HaveHolesFilled', actions: ['lambda:InvokeFunction'], resources: [one.functionArn] };
}

/** When users were seen, and in which groups. No such row is ever put, or deleted but by its time to live. */
export function noteSeen(table: Table): PolicyStatementProps {
  return withAttributes(onRows(table, 'NoteSeen', ['UpdateItem'], ['seen']), ['user', 'groups', 'at', 'ttl']);
}

/** Which label keys have slots. No such row is ever put, or deleted. */
export function assignSlots(table: Table): PolicyStatementProps {
  const slots = TABLE.slots.map((_, slot) => `k${slot}`);
  return withAttributes(onRows(table, 'AssignSlots', ['UpdateItem'], ['slots']), slots);
}

/** Which resourceVersions count of what decides who may do what. No such row is ever put, or deleted. */
export function updateAccess(table: Table): PolicyStatementProps {
  const attributes = [...Object.values(TABLE.access).flat(), TABLE.accessSecret];
  return withAttributes(onRows(table, 'UpdateAccess', ['UpdateItem'], ['access']), attributes);
}

/**
 * The token buckets of users' requests; no statement where the deployment does not bound them. No such row is ever put,
 * deleted or read by a request of its own, and an update reaches no attribute that any other row has but its `ttl`.
 */
export function countRequests(
  table: Table,
  { countsRequests }: { readonly countsRequests: boolean },
): PolicyStatementProps[] {
  if (!countsRequests) return [];
  return [withAttributes(onRows(table, 'CountRequests', ['UpdateItem'], ['budget']), ['full', TABLE.ttl])];
}

/**
 * Some attributes of a collection's head rows: they share a partition, so it is by their attributes that the
 * allotted resourceVersion, the marks and the cursor are told apart.
 */
export function updateHead(table: Table, ...attributes: readonly string[]): PolicyStatementProps {
  return withAttributes(onRows(table, 'UpdateHead', ['UpdateItem'], ['head']), attributes);
}

/**
 * `ForAllValues` alone is also true of a request without a leading key, hence the `Null`.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
function onRows(
  { table }: Table,
  sid: string,
  actions: readonly string[],
  kinds: readonly RowKind[],
): PolicyStatementProps {
  return {
    sid,
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => `${kind}#*`) },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  };
}

function withAttributes(
  { conditions, ...statement }: PolicyStatementProps,
  attributes: readonly string[],
): PolicyStatementProps {
  const all = { 'dynamodb:Attributes': [...KEYS, ...attributes] };
  return { ...statement, conditions: { ...conditions, 'ForAllValues:StringEquals': all } };
}
