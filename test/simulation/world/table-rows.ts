import type { Condition, Conditional, Key, Row, Update } from '../../../lib/store/index.ts';
import { clauseHolds, updated } from '../../support/store/memory-table.ts';

/**
 * The size limit of a row:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
const MOST_BYTES = 400 * 1024;
const LARGEST_NUMBER = 21;

/** Throws for a row above the limit. No part of the protocol may rely on this: writers check the size before. */
function refuseLarge(row: Row): void {
  const bytes = Object.entries(row).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
  if (bytes > MOST_BYTES) throw new Error(`${row.pk} ${row.sk} has ${bytes} bytes: more than DynamoDB takes`);
}

function bytesOf(value: Row[string]): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.byteLength : LARGEST_NUMBER;
}

/** A change of one row: its content before and after. */
export interface RowChange {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

export const keyText = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/** The rows as a consistent read sees them now, and the conditional writes of one row. */
export class TableRows {
  readonly #partitions = new Map<string, Map<string, Row>>();
  /** Rows that a transaction in progress holds. */
  readonly #held = new Set<string>();
  readonly #changed: (change: RowChange) => void;

  constructor(changed: (change: RowChange) => void) {
    this.#changed = changed;
  }

  get({ pk, sk }: Key): Row | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  partition(pk: string): Row[] {
    return [...(this.#partitions.get(pk)?.values() ?? [])];
  }

  all(): Row[] {
    return [...this.#partitions.values()].flatMap((rows) => [...rows.values()]);
  }

  /** The row with the bodies that are in chunk rows; without those of which a chunk is missing. */
  whole(row: Row): Row {
    const { chunks, formerChunks, ...inline } = row;
    const [body, former] = [chunks, formerChunks].map((ref) => ref && this.#chunksOf(String(ref)));
    return { ...inline, ...(body && { body }), ...(former && { former }) } as Row;
  }

  #chunksOf(ref: string): Uint8Array | undefined {
    const [id, count] = ref.split('/');
    const parts = Array.from({ length: Number(count) }, (_, at) =>
      this.get({ pk: `chunk#${id}#${at}`, sk: 'chunk' }),
    );
    if (parts.includes(undefined)) return undefined;
    return Buffer.concat(parts.map((part) => part?.bytes as Uint8Array));
  }

  holds(key: Key, condition: Condition = []): boolean {
    const row = this.get(key);
    return condition.every((clause) => clauseHolds(row, clause));
  }

  isHeld(key: Key): boolean {
    return this.#held.has(keyText(key));
  }

  hold(key: Key): void {
    this.#held.add(keyText(key));
  }

  release(key: Key): void {
    this.#held.delete(keyText(key));
  }

  put(row: Row, condition?: Condition): Conditional {
    return this.#conditionally(row, condition, () => this.set(row));
  }

  delete(key: Key, condition?: Condition): Conditional {
    return this.#conditionally(key, condition, () => this.remove(key));
  }

  update(key: Key, change: Update): Conditional & { row?: Row } {
    const answer = this.#conditionally(key, change.condition, () => this.change(key, change));
    const row = this.get(key);
    return answer.outcome === 'done' && row !== undefined ? { ...answer, row } : answer;
  }

  /** Updates a row without evaluating its condition. */
  change(key: Key, change: Update): void {
    this.set(updated(key, this.get(key), change));
  }

  set(row: Row): void {
    refuseLarge(row);
    const partition = this.#partitions.get(row.pk) ?? new Map<string, Row>();
    this.#partitions.set(row.pk, partition);
    const before = partition.get(row.sk);
    partition.set(row.sk, row);
    this.#changed({ before, after: row });
  }

  remove({ pk, sk }: Key): void {
    const before = this.get({ pk, sk });
    if (before === undefined) return;
    this.#partitions.get(pk)?.delete(sk);
    this.#changed({ before, after: undefined });
  }

  #conditionally(key: Key, condition: Condition | undefined, apply: () => void): Conditional {
    if (this.isHeld(key)) return { outcome: 'busy' };
    const existing = this.get(key);
    if (!this.holds(key, condition)) {
      return existing === undefined ? { outcome: 'failed' } : { outcome: 'failed', existing };
    }
    apply();
    return { outcome: 'done' };
  }
}
