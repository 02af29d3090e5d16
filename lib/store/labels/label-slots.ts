import type { Collection } from '../../json/index.ts';
import { TABLE } from '../../platform/index.ts';
import { slotsKey } from '../keys.ts';
import type { Row, Table } from '../table.ts';

/** The index place of a label key: a slot of the objects' rows, or `overflow` for separate rows. */
export type LabelPlace = number | 'overflow';

/** Index places by label key. No object has a key that is missing here. */
export type LabelPlaces = ReadonlyMap<string, LabelPlace>;

const SLOTS = TABLE.slots.length;
const attributeOf = (slot: number) => `k${slot}`;

/**
 * The label keys that have the collection's slots, as this process knows them. The first label keys that writes use get
 * the slots, one key for each slot, for ever. The row only grows, and never changes once it is full.
 *
 * - That a key has a slot stays true for ever.
 * - That a key has no slot stays true for ever once the row is full.
 * - That a key has no slot YET is true only at the moment of the read.
 *
 *   a writer  assigns a slot to a key before it allots its resourceVersion
 *   a reader  that does not find a key reads the row after the head: by then the row holds the keys of all writes
 *             that have a resourceVersion up to there
 */
export class LabelSlots {
  readonly #collection: Collection;
  /** The keys in the order of their slots. */
  #keys: readonly string[] = [];
  #isRead = false;

  constructor(collection: Collection) {
    this.#collection = collection;
  }

  /**
   * Returns the index place of each key. If a key has no place, no object has the key at the head or had it before. To
   * know this, the function reads the row after `head` resolves, for this caller only: a read that was already under
   * way may be older.
   */
  async find(table: Table, keys: readonly string[], head: Promise<unknown>): Promise<LabelPlaces> {
    // In parallel with the head: a slot that is found is right, whenever it was read.
    if (!this.#isRead) await this.#read(table);
    if (this.#unplaced(keys).length > 0) {
      await head;
      await this.#read(table);
    }
    return this.#placesOf(keys);
  }

  /** Returns the places where writers put the keys. Each key without a place gets a slot, as long as slots are free. */
  async assign(table: Table, keys: readonly string[]): Promise<LabelPlaces> {
    if (this.#unplaced(keys).length > 0) await this.#read(table);
    for (let left = this.#unplaced(keys); left.length > 0; left = this.#unplaced(keys)) {
      await this.#append(table, left);
    }
    return this.#placesOf(keys);
  }

  #placeOf(key: string): LabelPlace | undefined {
    const slot = this.#keys.indexOf(key);
    if (slot >= 0) return slot;
    return this.#keys.length === SLOTS ? 'overflow' : undefined;
  }

  #placesOf(keys: readonly string[]): LabelPlaces {
    const places = new Map<string, LabelPlace>();
    for (const key of keys) {
      const place = this.#placeOf(key);
      if (place !== undefined) places.set(key, place);
    }
    return places;
  }

  #unplaced(keys: readonly string[]): string[] {
    return keys.filter((key) => this.#placeOf(key) === undefined);
  }

  async #read(table: Table): Promise<void> {
    this.#learn(await table.get(slotsKey(this.#collection)));
  }

  /**
   * Takes the next slots for these keys, all or none. Slots are taken in order, so if the first is free, all are. If
   * the first is not free, the returned row names its key. An earlier try of this same request may have taken it.
   */
  async #append(table: Table, keys: readonly string[]): Promise<void> {
    const next = this.#keys.length;
    const taken = keys.slice(0, SLOTS - next).map((key, at) => [attributeOf(next + at), key] as const);
    const { row, existing } = await table.update(slotsKey(this.#collection), {
      set: Object.fromEntries(taken),
      condition: [{ missing: attributeOf(next) }],
    });
    const answered = row ?? existing;
    if (answered === undefined) return this.#read(table);
    this.#learn(answered);
  }

  /** Keeps the longer of two lists: it is the newer one. */
  #learn(row: Row | undefined): void {
    this.#isRead = true;
    const keys: string[] = [];
    for (let key = row?.[attributeOf(0)]; key !== undefined; key = row?.[attributeOf(keys.length)]) {
      keys.push(String(key));
    }
    if (keys.length > this.#keys.length) this.#keys = keys;
  }
}
