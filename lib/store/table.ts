import type { LabelIndexName } from '../platform/index.ts';

/**
 * The table as the store sees it: seven operations of DynamoDB. Conditions are data, so that a simulation can
 * evaluate them. A condition that fails is a result, not an exception. Every read is consistent, except through an
 * index, which lags, and where the caller asks for less.
 *
 * Every operation except `transact` makes one try, and ends when its `signal` does. `retryingTable` adds retries.
 *
 * @throws {ThrottledError} {@link UnavailableError} {@link OutOfTimeError}
 */
export interface Table {
  /** The deadline of every call, if this is the table of one request. */
  readonly deadline?: AbortSignal;
  /** The schema version in which rows are written now; absent if that is the newest version. */
  readonly rowSchema?: () => number;
  get(key: Key, signal?: AbortSignal, reading?: Reading): Promise<Row | undefined>;
  /** Returns one page in sort order, and whether more rows may follow. */
  query(request: QueryRequest, signal?: AbortSignal): Promise<QueryPage>;
  /** Returns the rows that exist among `keys`, in no particular order. `keys` may have any length. */
  batchGet(keys: readonly Key[], signal?: AbortSignal, reading?: Reading): Promise<Row[]>;
  put(row: Row, condition?: Condition, signal?: AbortSignal): Promise<Conditional>;
  /** Resolves to the row's attributes after the update. */
  update(key: Key, change: Update, signal?: AbortSignal): Promise<Conditional & { row?: Row }>;
  delete(key: Key, condition?: Condition, signal?: AbortSignal): Promise<Conditional>;
  /**
   * Writes all items or none. `signal` limits it, including its retries. It throws only if the request itself is
   * invalid.
   */
  transact(items: readonly TransactItem[], signal: AbortSignal): Promise<TransactOutcome>;
}

/** `eventual`: the row may be as it was some seconds ago, or missing. It costs half of a consistent read. */
export type Reading = 'consistent' | 'eventual';

/** A table whose service reports the cost of requests. */
export interface MeteredTable extends Table {
  /**
   * Returns the same table, which calls `report` for each request that was answered. It does not report calls by
   * other users of the original table.
   */
  metered(report: (consumed: Consumed) => void): Table;
}

export const isMetered = (table: Table): table is MeteredTable => 'metered' in table;

/** The cost of one request to the service: read or write capacity units, indexes included. */
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
  /** The maximum number of rows. */
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
  /** Attributes that are set only if the row does not have them. */
  readonly setMissing?: Readonly<Record<string, Attribute>>;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  readonly condition?: Condition;
}

/** `busy`: the row is part of a transaction in progress; retry shortly. */
export interface Conditional {
  readonly outcome: 'done' | 'failed' | 'busy';
  /** The existing row, when the condition failed. */
  readonly existing?: Row;
}

export type TransactItem =
  | { readonly put: Row; readonly condition?: Condition }
  | { readonly delete: Key; readonly condition?: Condition }
  | ({ readonly update: Key } & Omit<Update, 'remove'>)
  | { readonly check: Key; readonly condition: Condition };

/**
 * `cancelled` wrote nothing; `unknown` may have written everything, or may still do so. Neither decides the write:
 * only the journal row does.
 */
export interface TransactOutcome {
  readonly outcome: 'committed' | 'cancelled' | 'unknown';
  /** The table throttled the request, and there was no other fault: use a longer backoff. */
  readonly throttled?: boolean;
}
