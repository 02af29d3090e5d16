import { type LabelIndex, TABLE } from '../../../lib/platform/index.ts';
import type { Row } from '../../../lib/store/index.ts';
import { indexed } from '../../support/store/memory-table.ts';
import type { Surroundings } from './surroundings.ts';
import { keyText, type RowChange } from './table-rows.ts';

/**
 * One secondary index. A change of the table reaches it later: in order for each row, in any order for different rows,
 * and independently for each index. A change outside the indexed attributes changes nothing in it. A row that moves
 * leaves its old place first.
 */
export class TableIndex {
  readonly #world: Surroundings;
  readonly #index: LabelIndex;
  readonly #partitions = new Map<string, Map<string, Row>>();
  /** When the last change of each row arrives, in virtual ms. */
  readonly #arrivals = new Map<string, number>();

  constructor(world: Surroundings, index: LabelIndex) {
    this.#world = world;
    this.#index = index;
  }

  partition(name: string): Row[] {
    return [...(this.#partitions.get(name)?.values() ?? [])];
  }

  /** Takes a change of the table, which arrives in the index later. */
  follow({ before, after }: RowChange): void {
    const [left, entered] = [this.#entryOf(before), this.#entryOf(after)];
    const row = after ?? before;
    if (row === undefined || isSame(left, entered)) return;
    const key = keyText(row);
    if (left !== undefined && this.#placeOf(left) !== (entered && this.#placeOf(entered))) {
      this.#later(key, () => this.#partitions.get(this.#partitionOf(left))?.delete(key));
    }
    if (entered !== undefined) this.#later(key, () => this.#put(key, entered));
  }

  /** The index's entry of a row, if the index holds the row. */
  #entryOf(row: Row | undefined): Row | undefined {
    const isHeld = row?.[this.#index.partitionKey] !== undefined && row[this.#index.sortKey] !== undefined;
    return isHeld ? indexed(row, this.#index) : undefined;
  }

  #partitionOf(entry: Row): string {
    return String(entry[this.#index.partitionKey]);
  }

  #placeOf(entry: Row): string {
    return `${this.#partitionOf(entry)}\n${entry[this.#index.sortKey]}`;
  }

  #later(key: string, apply: () => void): void {
    const { scheduler, chance, faults } = this.#world;
    const stalls = chance.chance(faults.indexStall);
    const lag = chance.within(stalls ? faults.indexStallFor : faults.indexLag);
    const arrival = Math.max(scheduler.now + lag, this.#arrivals.get(key) ?? 0);
    this.#arrivals.set(key, arrival);
    scheduler.after(arrival - scheduler.now, apply);
  }

  #put(key: string, entry: Row): void {
    const name = this.#partitionOf(entry);
    const partition = this.#partitions.get(name) ?? new Map<string, Row>();
    this.#partitions.set(name, partition);
    partition.set(key, entry);
  }
}

function isSame(left: Row | undefined, right: Row | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Creates the indexes of the table, by name. */
export function createIndexes(world: Surroundings): ReadonlyMap<string, TableIndex> {
  return new Map(TABLE.indexes.map((index) => [index.name, new TableIndex(world, index)]));
}
