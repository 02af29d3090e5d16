import { type LabelIndex, TABLE } from '../../../lib/platform/index.ts';
import type {
  Clause,
  Condition,
  Conditional,
  Key,
  QueryRequest,
  Row,
  Table,
  TransactItem,
  Update,
} from '../../../lib/store/index.ts';

const INDEXES = new Map(TABLE.indexes.map((index) => [index.name, index]));

/** A table in memory, for properties of many runs. `table.test.ts` holds it to what DynamoDB does. */
export function createMemoryTable(): Table {
  const rows = new MemoryRows();
  const holds = (key: Key, condition: Condition = []) =>
    condition.every((clause) => clauseHolds(rows.get(key), clause));
  const conditional = (key: Key, condition: Condition | undefined, apply: () => void): Conditional => {
    const existing = rows.get(key);
    if (!holds(key, condition)) return existing ? { outcome: 'failed', existing } : { outcome: 'failed' };
    apply();
    return { outcome: 'done' };
  };
  return {
    get: async (key) => rows.get(key),
    query: async (request) => queryRows(rows.asked(request), request),
    batchGet: async (keys) => keys.flatMap((key) => rows.get(key) ?? []),
    put: async (row, condition) => conditional(row, condition, () => rows.set(row)),
    delete: async (key, condition) => conditional(key, condition, () => rows.delete(key)),
    update: async (key, update) => {
      const answer = conditional(key, update.condition, () => rows.set(updated(key, rows.get(key), update)));
      return answer.outcome === 'done' ? { ...answer, row: rows.get(key) } : answer;
    },
    transact: async (items, signal) => {
      if (signal.aborted) return { outcome: 'unknown' };
      if (!items.every((item) => holds(targetOf(item), item.condition))) return { outcome: 'cancelled' };
      for (const item of items) {
        if ('put' in item) {
          rows.set(item.put);
        } else if ('delete' in item) {
          rows.delete(item.delete);
        } else if ('update' in item) {
          rows.set(updated(item.update, rows.get(item.update), item));
        }
      }
      return { outcome: 'committed' };
    },
  };
}

/** Rows by their partitions, and those that an index has: a query looks at no others. */
class MemoryRows {
  readonly #partitions = new Map<string, Map<string, Row>>();
  readonly #indexed = new Map<string, Row>();

  get({ pk, sk }: Key): Row | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  set(row: Row): void {
    const partition = this.#partitions.get(row.pk) ?? new Map<string, Row>();
    this.#partitions.set(row.pk, partition.set(row.sk, row));
    if (TABLE.indexes.some(({ partitionKey }) => row[partitionKey] !== undefined)) {
      this.#indexed.set(keyOf(row), row);
    } else {
      this.#indexed.delete(keyOf(row));
    }
  }

  delete(key: Key): void {
    this.#partitions.get(key.pk)?.delete(key.sk);
    this.#indexed.delete(keyOf(key));
  }

  /** All that a query may answer, and others. */
  asked({ index, partition }: QueryRequest): Row[] {
    const among = index === undefined ? this.#partitions.get(partition) : this.#indexed;
    return [...(among?.values() ?? [])];
  }
}

const keyOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/** What an update makes of a row. */
export function updated(key: Key, before: Row | undefined, update: Update): Row {
  const { set = {}, setMissing = {}, add = {}, remove = [] } = update;
  const sums = Object.entries(add).map(([name, by]) => [name, Number(before?.[name] ?? 0) + by]);
  const missing = Object.entries(setMissing).filter(([name]) => before?.[name] === undefined);
  const gone = Object.fromEntries(remove.map((name) => [name, undefined]));
  const { pk, sk } = key;
  const changed = Object.fromEntries([...Object.entries(set), ...missing, ...sums]);
  return { pk, sk, ...before, ...changed, ...gone };
}

export function targetOf(item: TransactItem): Key {
  if ('put' in item) return item.put;
  if ('update' in item) return item.update;
  return 'delete' in item ? item.delete : item.check;
}

/** What a query answers, given every row of the table. */
export function queryRows(rows: readonly Row[], request: QueryRequest) {
  const index = request.index === undefined ? undefined : INDEXES.get(request.index);
  const { partitionKey, sortKey } = index ?? TABLE;
  const sortOf = (row: Row) => String(row[sortKey]);
  const found = rows
    .filter((row) => row[partitionKey] === request.partition && row[sortKey] !== undefined)
    .filter((row) => sortOf(row) >= request.from && sortOf(row) <= request.to)
    .sort((left, right) => (sortOf(left) < sortOf(right) ? -1 : 1));
  if (request.descending) found.reverse();
  const page = found.slice(0, request.limit);
  return {
    rows: index === undefined ? page : page.map((row) => indexed(row, index)),
    more: request.limit !== undefined && found.length >= request.limit && found.length > 0,
  };
}

/** What an index holds of a row: keys, and what it projects. */
export function indexed(row: Row, { partitionKey, sortKey }: LabelIndex): Row {
  const { pk, sk } = row;
  const attributes = [partitionKey, sortKey, TABLE.projected].map((name) => [name, row[name]]);
  return { ...Object.fromEntries(attributes), pk, sk };
}

export function clauseHolds(row: Row | undefined, clause: Clause): boolean {
  if ('missing' in clause) return row?.[clause.missing] === undefined;
  if ('any' in clause) return clause.any.some((inner) => clauseHolds(row, inner));
  const value = row?.[clause.attribute];
  if (value === undefined) return false;
  if (clause.is === '=') return value === clause.value;
  return clause.is === '<' ? value < clause.value : value > clause.value;
}
