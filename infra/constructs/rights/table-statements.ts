import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { TABLE } from '../../../lib/platform/index.ts';
import type { WinnowFunction } from '../functions/index.ts';
import type { Table } from '../storage/index.ts';

/** The prefix of the partition keys of one kind of row; see `lib/store/keys.ts`. */
export type RowKind =
  | 'object'
  | 'chunk'
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
  | 'activity'
  | 'collections'
  | 'watches'
  | 'proof'
  | 'budget'
  | 'seen';

/** The kinds of rows that a function changes, by operation. */
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

/** The permission to read rows. It includes the schema row, which every function reads first. */
export function readRows(table: Table, ...kinds: readonly RowKind[]): PolicyStatementProps {
  return onRows(table, 'ReadRows', ['GetItem', 'BatchGetItem', 'Query'], [...kinds, 'schema']);
}

/** Limits a statement to the rows of some collections. Rows that belong to no collection stay. */
export function ofCollections(
  statement: PolicyStatementProps,
  ...collections: readonly string[]
): PolicyStatementProps {
  const { 'ForAllValues:StringLike': leading, ...others } = statement.conditions ?? {};
  const kinds: readonly string[] = leading['dynamodb:LeadingKeys'];
  const keys = kinds.flatMap((kind) =>
    OF_NO_COLLECTION.has(kind)
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

const OF_NO_COLLECTION: ReadonlySet<string> = new Set(['schema#*', 'activity#*']);
/** Kinds of rows with one partition per collection. The keys of other kinds continue after the collection. */
const ONE_A_COLLECTION: ReadonlySet<string> = new Set(['object#*', 'slots#*', 'head#*']);

export function queryIndexes({ table }: Table): PolicyStatementProps {
  return {
    sid: 'QueryIndexes',
    actions: ['dynamodb:Query'],
    resources: TABLE.indexes.map(({ name }) => `${table.tableArn}/index/${name}`),
  };
}

/**
 * The permissions to change rows, one statement per operation. A transaction needs the permissions of its parts only.
 */
export function changeRows(table: Table, changes: Changes): PolicyStatementProps[] {
  const ways = Object.entries(changes) as [keyof Changes, readonly RowKind[]][];
  return ways.map(([way, kinds]) => onRows(table, ACTIONS[way][0], [ACTIONS[way][1]], kinds));
}

/** The permission to put holes into the journal. It allows no other journal entries: holes have no body. */
export function fillHoles(table: Table): PolicyStatementProps {
  return withAttributes(onRows(table, 'FillHoles', ['PutItem'], ['journal']), ['hole', 'time', TABLE.ttl]);
}

/** The permission to invoke `fill`, which puts holes for read-only functions. */
export function invoke({ function: one }: WinnowFunction): PolicyStatementProps {
  return { sid: 'HaveHolesFilled', actions: ['lambda:InvokeFunction'], resources: [one.functionArn] };
}

/** The permission to note when users were seen, and in which groups. Such rows are only updated, and expire. */
export function noteSeen(table: Table): PolicyStatementProps {
  return withAttributes(onRows(table, 'NoteSeen', ['UpdateItem'], ['seen']), ['user', 'groups', 'at', 'ttl']);
}

/** The permission to assign label slots. Such rows are only updated. */
export function assignSlots(table: Table): PolicyStatementProps {
  const slots = TABLE.slots.map((_, slot) => `k${slot}`);
  return withAttributes(onRows(table, 'AssignSlots', ['UpdateItem'], ['slots']), slots);
}

/** The permission to update the resourceVersions of access rules. Such rows are only updated. */
export function updateAccess(table: Table): PolicyStatementProps {
  const attributes = [...Object.values(TABLE.access).flat(), TABLE.accessSecret];
  return withAttributes(onRows(table, 'UpdateAccess', ['UpdateItem'], ['access']), attributes);
}

/**
 * The permission to count requests of users in token buckets; no statement if the deployment sets no limit. Such rows
 * are only updated, and an update can change no attribute of other rows except `ttl`.
 */
export function countRequests(
  table: Table,
  { countsRequests }: { readonly countsRequests: boolean },
): PolicyStatementProps[] {
  if (!countsRequests) return [];
  return [withAttributes(onRows(table, 'CountRequests', ['UpdateItem'], ['budget']), ['full', TABLE.ttl])];
}

/**
 * The permission to update some attributes of a collection's head rows. The allotted resourceVersion, the watermarks
 * and the cursors share a partition, so the attributes distinguish them.
 */
export function updateHead(table: Table, ...attributes: readonly string[]): PolicyStatementProps {
  return withAttributes(onRows(table, 'UpdateHead', ['UpdateItem'], ['head']), attributes);
}

/** The permission of functions that write objects: to allot resourceVersions, and to note that they write. */
export function allotVersions(table: Table, ...attributes: readonly string[]): PolicyStatementProps {
  const statement = onRows(table, 'AllotVersions', ['UpdateItem'], ['head', 'activity']);
  return withAttributes(statement, ['rv', ...attributes, 'at']);
}

/**
 * A statement for rows by their leading keys. `ForAllValues` is also true for a request without a leading key, so it
 * needs `Null` too.
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
