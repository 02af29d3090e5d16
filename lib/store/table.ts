import type { LabelIndexName } from '../platform/index.ts';

/**
 * The table as the store sees it: seven operations of DynamoDB, with conditions as data so that a simulation
 * can evaluate them. A lost condition is a result, not an exception. Every read is of the committed present
 * (consistent), except through an index, which lags.
 *
 * Every operation is one try, but for `transact`, and ends when its `signal` does; `retryingTable` tries again.
 *
 * @throws {ThrottledError} {@link UnavailableError} {@link OutOfTimeError}
 */
export interface Table {
  /** When every call of this table ends, where it is the table of one request. */
  readonly deadline?: AbortSignal;
  get(key: Key, signal?: AbortSignal): Promise<Row | undefined>;
  /** One page in sort order, and whether rows may follow it. */
  query(request: QueryRequest, signal?: AbortSignal): Promise<QueryPage>;
  /** The rows that exist among `keys`, in no particular order; any number of keys. */
  batchGet(keys: readonly Key[], signal?: AbortSignal): Promise<Row[]>;
  put(row: Row, condition?: Condition, signal?: AbortSignal): Promise<Conditional>;
  /** Answers the row's attributes after the update. */
  update(key: Key, change: Update, signal?: AbortSignal): Promise<Conditional & { row?: Row }>;
  delete(key: Key, condition?: Condition, signal?: AbortSignal): Promise<Conditional>;
  /** All or nothing. `signal` bounds it, retries included. Throws only where the request itself is at fault. */
  transact(items: readonly TransactItem[], signal: AbortSignal): Promise<TransactOutcome>;
}

/** A table whose service says what requests consume. */
export interface MeteredTable extends Table {
  /** The same table, telling `report` of each request that was answered; its other users are not told of. */
  metered(report: (consumed: Consumed) => void): Table;
}

export const isMetered = (table: Table): table is MeteredTable => 'metered' in table;

/** What one request to the service consumed: read or write capacity units, indexes included. */
export interface Consumed {
  readonly units: number;
}

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Attribute = string | number | boolean | Uint8Array;

export interface Row extends Key {
  readonly [attribute: string]: Attribute | undefined;
}

export interface QueryRequest {
  readonly index?: LabelIndexName;
  readonly partition: string;
  /** Inclusive bounds of the sort key. */
  readonly from: string;
  readonly to: string;
  readonly descending?: boolean;
  /** Rows at most. */
  readonly limit?: number;
}

export interface QueryPage {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** Clauses joined by AND. */
export type Condition = readonly Clause[];

export type Clause =
  | { readonly missing: string }
  | { readonly attribute: string; readonly is: '=' | '<' | '>'; readonly value: Attribute }
  | { readonly any: readonly Clause[] };

export interface Update {
  readonly set?: Readonly<Record<string, Attribute>>;
  /** Set only where the row does not have them. */
  readonly setMissing?: Readonly<Record<string, Attribute>>;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  readonly condition?: Condition;
}

/** `busy`: the row is part of a transaction in progress; ask again shortly. */
export interface Conditional {
  readonly outcome: 'done' | 'failed' | 'busy';
  /** What stood there when the condition failed. */
  readonly existing?: Row;
}

export type TransactItem =
  | { readonly put: Row; readonly condition?: Condition }
  | { readonly delete: Key; readonly condition?: Condition }
  | ({ readonly update: Key } & Omit<Update, 'remove'>)
  | { readonly check: Key; readonly condition: Condition };

/**
 * `cancelled` wrote nothing; `unknown` may have written everything, or may still. Neither is a verdict: that is
 * the journal row's.
 */
export interface TransactOutcome {
  readonly outcome: 'committed' | 'cancelled' | 'unknown';
  /** The table was asked too much, and nothing else was wrong: back off longer. */
  readonly throttled?: boolean;
}
