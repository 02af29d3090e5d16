import type { Column } from '../../lib/client/objects/index.ts';
import type { Row } from '../api/index.ts';
import { compareRows, keyOf } from './rows.ts';

/** The rows as the table shows them. */
export interface ShownRows {
  readonly rows: readonly Row[];
  /** The number of rows that wait until the pointer leaves the table. */
  readonly waiting: number;
  /** The keys of rows whose objects are not in the set any more. */
  readonly gone: ReadonlySet<string>;
}

/** The rows of a set with those that left a moment ago, in order. */
export interface Inputs {
  readonly rows: readonly Row[];
  readonly leaving: ReadonlyMap<string, Row>;
  /** The order of the rows; undefined for the order of the set. */
  readonly compare: ((one: Row, other: Row) => number) | undefined;
  readonly isFrozen: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** The order of the rows. While it is frozen no row moves: new rows wait, and rows that left stay. */
export class RowOrder {
  #shown: readonly Row[] = [];

  order({ rows, leaving, compare, isFrozen }: Inputs): ShownRows {
    // Where no row is shown yet, none can move.
    if (isFrozen && this.#shown.length > 0) return this.#frozen(rows, leaving);
    const present = leaving.size === 0 ? rows : [...rows, ...leavers(rows, leaving)];
    this.#shown =
      compare === undefined && present === rows ? rows : [...present].sort(compare ?? compareRows);
    return { rows: this.#shown, waiting: 0, gone: NONE };
  }

  #frozen(rows: readonly Row[], leaving: ReadonlyMap<string, Row>): ShownRows {
    const now = new Map(rows.map((row) => [keyOf(row), row]));
    this.#shown = this.#shown.map((row) => {
      const key = keyOf(row);
      return now.get(key) ?? leaving.get(key) ?? row;
    });
    const shown = new Set(this.#shown.map(keyOf));
    const waiting = rows.reduce((sum, row) => (shown.has(keyOf(row)) ? sum : sum + 1), 0);
    const gone = new Set([...shown].filter((key) => !now.has(key)));
    return { rows: this.#shown, waiting, gone };
  }
}

/** Returns the order for a sort such as `Age` or `-Restarts`; undefined for the order of the set. */
export function comparing(
  sort: string,
  columns: readonly Column[],
): ((one: Row, other: Row) => number) | undefined {
  const title = sort.replace(/^-/, '').toLowerCase();
  const direction = sort.startsWith('-') ? -1 : 1;
  if (title === '') return undefined;
  if (title === 'namespace') return ordered(({ metadata }) => metadata.namespace ?? '', direction);
  if (title === 'age') return ordered(({ metadata }) => metadata.creationTimestamp ?? '', -direction);
  const at = columns.findIndex(({ name }) => name.toLowerCase() === title);
  // Any other sort names a label.
  if (at === -1) return ordered(({ metadata }) => metadata.labels?.[sort.replace(/^-/, '')] ?? '', direction);
  return ordered(({ cells }) => cells[at], direction);
}

function ordered(read: (row: Row) => unknown, direction: number): (one: Row, other: Row) => number {
  return (one, other) => {
    const [left, right] = [read(one), read(other)];
    const isNumeric = typeof left === 'number' && typeof right === 'number';
    const difference = isNumeric ? left - right : compareTexts(String(left ?? ''), String(right ?? ''));
    return difference * direction || compareRows(one, other);
  };
}

/** Numbers inside texts, such as `2/10`, count as numbers. */
const compareTexts = new Intl.Collator('en', { numeric: true }).compare;

/** An object that left and came back is in both. */
function leavers(rows: readonly Row[], leaving: ReadonlyMap<string, Row>): Row[] {
  const present = new Set(rows.map(keyOf));
  return [...leaving].flatMap(([key, row]) => (present.has(key) ? [] : [row]));
}
