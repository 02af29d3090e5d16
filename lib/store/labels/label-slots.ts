import type { Collection } from '../../json/index.ts';
import { TABLE } from '../../platform/index.ts';
import { slotsKey } from '../keys.ts';
import type { Row, Table } from '../table.ts';

/** Where the values of a label key are indexed: in this slot of the objects' rows, or in rows of their own. */
export type LabelPlace = number | 'overflow';

/** By label key. A key that is missing is in no object. */
export type LabelPlaces = ReadonlyMap<string, LabelPlace>;

const SLOTS = TABLE.slots.length;
const attributeOf = (slot: number) => `k${slot}`;

/**
 * Which label keys a collection's slots are for, as far as this process knows: the first ones that a write used, one
 * a slot, for ever. The row only ever grows, and once it is full it stays as it is. So what was found in it once is
 * true for ever, and so is that a key is not in it once it is full; that a key is not there YET is true of the moment
 * alone.
 *
 *   a writer  gives a key its slot before it allots its resourceVersion
 *   a reader  that does not find a key reads the row after the head: by then the keys of all writes that have a
 *             resourceVersion up to there are in it
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
   * Where to look for the keys: one that has no place is in no object at the head, nor was in one before. What is read
   * for that is read after `head`, and for this caller alone: an answer that was under way already may be older.
   */
  async find(table: Table, keys: readonly string[], head: Promise<unknown>): Promise<LabelPlaces> {
    // Beside the head: what is found is true whenever it was read.
    if (!this.#isRead) await this.#read(table);
    if (this.#unplaced(keys).length > 0) {
      await head;
      await this.#read(table);
    }
    return this.#placesOf(keys);
  }

  /** Where to write the keys: each that has no place is given one, while there are slots. */
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
   * Takes the next slots for these keys, all or none. Slots are taken in their order, so where the first is free all
   * are; where it is not, the row shows who has it, which may be an earlier try of this very request.
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

  /** Of two answers the longer is the newer. */
  #learn(row: Row | undefined): void {
    this.#isRead = true;
    const keys: string[] = [];
    for (let key = row?.[attributeOf(0)]; key !== undefined; key = row?.[attributeOf(keys.length)]) {
      keys.push(String(key));
    }
    if (keys.length > this.#keys.length) this.#keys = keys;
  }
}
