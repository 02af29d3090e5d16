import type { Row } from '../api/index.ts';

/** The numbers of objects of a set by the values of one label. */
export interface KeyCount {
  readonly key: string;
  readonly values: readonly ValueCount[];
  /** The number of objects without the label. */
  readonly absent: number;
  /** The number of different values. */
  readonly distinct: number;
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** The numbers of objects by the values of two labels. `null` stands for objects without the label. */
export interface Cells {
  readonly rows: readonly (string | null)[];
  readonly columns: readonly (string | null)[];
  /** The number of objects of a row and a column. */
  count(row: string | null, column: string | null): number;
  readonly most: number;
}

/** Counts the labels of objects, the most frequent key first, and of each key the most frequent value first. */
export function countLabels(rows: readonly Row[]): KeyCount[] {
  const keys = new Map<string, Map<string, number>>();
  for (const { metadata } of rows) {
    const labels = metadata.labels ?? {};
    for (const key in labels) {
      const value = labels[key] ?? '';
      const values = keys.get(key) ?? new Map<string, number>();
      keys.set(key, values.set(value, (values.get(value) ?? 0) + 1));
    }
  }
  const counted = Array.from(keys, ([key, values]) => {
    const sorted = Array.from(values, ([value, count]) => ({ value, count })).sort(byCount);
    const present = sorted.reduce((sum, { count }) => sum + count, 0);
    return { key, values: sorted, absent: rows.length - present, distinct: sorted.length };
  });
  return counted.sort((one, other) => one.absent - other.absent || (one.key < other.key ? -1 : 1));
}

/** Counts objects by the values of two labels. */
export function countPairs(rows: readonly Row[], [down, across]: readonly [string, string]): Cells {
  const pairs = rows.map(
    ({ metadata: { labels = {} } }) => [labels[down] ?? null, labels[across] ?? null] as const,
  );
  return cellsOf(pairs.map(([row, column]) => ({ row, column, count: 1 })));
}

/** Sums up counts by row and column; the most frequent ones come first, and `null` last. */
export function cellsOf(
  counts: readonly { readonly row: string | null; readonly column: string | null; readonly count: number }[],
): Cells {
  const cells = new Map<string | null, Map<string | null, number>>();
  const rows = new Map<string | null, number>();
  const columns = new Map<string | null, number>();
  for (const { row, column, count } of counts) {
    const line = cells.get(row) ?? new Map<string | null, number>();
    cells.set(row, line.set(column, (line.get(column) ?? 0) + count));
    rows.set(row, (rows.get(row) ?? 0) + count);
    columns.set(column, (columns.get(column) ?? 0) + count);
  }
  const most = Math.max(1, ...Array.from(cells.values(), (line) => Math.max(...line.values())));
  return {
    rows: inOrder(rows),
    columns: inOrder(columns),
    count: (row, column) => cells.get(row)?.get(column) ?? 0,
    most,
  };
}

/** Whether all objects have the same value of a key. */
export function isConstant({ distinct, absent }: KeyCount): boolean {
  return distinct <= 1 && absent === 0;
}

/** The most values of a key at which it divides any set well. */
const FEW = 8;

/**
 * Whether a key divides the set well: it has few values, or few for the objects that have it. Names and hashes have a value
 * for each object.
 */
export function isTelling({ distinct, values }: KeyCount): boolean {
  const present = values.reduce((sum, { count }) => sum + count, 0);
  return distinct <= FEW || distinct <= present / 2;
}

/**
 * The keys in the order of their use for a choice: those that divide the set well, names and hashes, and those that all
 * objects share. Among them, a key of more objects comes first, and then one with fewer values.
 */
export function byUse(counts: readonly KeyCount[]): readonly KeyCount[] {
  const rank = (one: KeyCount) => (isConstant(one) ? 2 : isTelling(one) ? 0 : 1);
  return [...counts].sort(
    (one, other) => rank(one) - rank(other) || one.absent - other.absent || one.distinct - other.distinct,
  );
}

function inOrder(totals: ReadonlyMap<string | null, number>): (string | null)[] {
  const rank = ([value, total]: readonly [string | null, number]) => (value === null ? -1 : total);
  return [...totals].sort((one, other) => rank(other) - rank(one)).map(([value]) => value);
}

function byCount(one: ValueCount, other: ValueCount): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}
