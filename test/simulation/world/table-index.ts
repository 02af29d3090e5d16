import { TABLE } from '../../../lib/platform/index.ts';
import type { Row } from '../../../lib/store/index.ts';
import type { Surroundings } from './surroundings.ts';
import { keyText, type RowChange } from './table-rows.ts';

/**
 * One secondary index: what changed in the table reaches it later, in the order of each row, but of different
 * rows in any order. A row that moves to another partition leaves the old one first.
 */
export class TableIndex {
  readonly #world: Surroundings;
  readonly #partitionKey: string;
  readonly #partitions = new Map<string, Map<string, Row>>();
  /** When the last change of each row arrives, in virtual ms. */
  readonly #arrivals = new Map<string, number>();

  constructor(world: Surroundings, { partitionKey }: { readonly partitionKey: string }) {
    this.#world = world;
    this.#partitionKey = partitionKey;
  }

  partition(name: string): Row[] {
    return [...(this.#partitions.get(name)?.values() ?? [])];
  }

  /** Something changed in the table, and arrives here in its time. */
  follow({ before, after }: RowChange): void {
    const left = before?.[this.#partitionKey];
    const entered = after?.[this.#partitionKey];
    const row = after ?? before;
    if ((left === undefined && entered === undefined) || row === undefined) return;
    const key = keyText(row);
    if (left !== undefined && left !== entered) {
      this.#later(key, () => this.#partitions.get(String(left))?.delete(key));
    }
    if (entered !== undefined && after !== undefined) {
      this.#later(key, () => this.#partitionOf(String(entered)).set(key, after));
    }
  }

  #later(key: string, apply: () => void): void {
    const { scheduler, chance, faults } = this.#world;
    const stalls = chance.chance(faults.indexStall);
    const lag = chance.within(stalls ? faults.indexStallFor : faults.indexLag);
    const arrival = Math.max(scheduler.now + lag, this.#arrivals.get(key) ?? 0);
    this.#arrivals.set(key, arrival);
    scheduler.after(arrival - scheduler.now, apply);
  }

  #partitionOf(name: string): Map<string, Row> {
    const partition = this.#partitions.get(name) ?? new Map<string, Row>();
    this.#partitions.set(name, partition);
    return partition;
  }
}

export function createIndexes(world: Surroundings) {
  return {
    [TABLE.byLabel.name]: new TableIndex(world, TABLE.byLabel),
    [TABLE.byLabelKey.name]: new TableIndex(world, TABLE.byLabelKey),
  };
}
