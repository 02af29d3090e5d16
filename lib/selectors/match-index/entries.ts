import { IntColumn } from './int-column.ts';
import { IntLists } from './int-lists.ts';

/** An interest that one or more subscriptions share, as an integer. */
export type Entry = number;

const NONE = -1;
/** The home of an entry without a positive clause. */
export const EVERYWHERE = -2;

/** The distinct interests, by program, so that identical ones are evaluated once (hash consing). */
export class Entries {
  /** The program by entry. */
  readonly programs = new IntLists();
  /** The position in the program of the clause under which the entry is filed; or {@link EVERYWHERE}. */
  readonly homes = new IntColumn();
  /**
   * The number of the entry's records in lists of atoms. A removed entry's number becomes free when its last record
   * is removed.
   */
  readonly records = new IntColumn();
  readonly #hashes = new IntColumn();
  /**
   * A hash table with open addressing: an entry, or {@link NONE}. Its size is a power of two, and at least half of it
   * is empty.
   */
  #slots = new Int32Array(64).fill(NONE);
  readonly #free: Entry[] = [];
  #end = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get end(): number {
    return this.#end;
  }

  get bytes(): number {
    const columns = [this.programs, this.homes, this.records, this.#hashes];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.#slots.byteLength);
  }

  find(program: readonly number[]): Entry | undefined {
    const entry = this.#slots[this.#slotOf(program, hash(program))] as number;
    return entry === NONE ? undefined : entry;
  }

  create(program: readonly number[]): Entry {
    const entry = this.#free.pop() ?? this.#end++;
    this.programs.reserve(entry + 1);
    const start = this.programs.extend(entry, program.length);
    this.programs.words.set(program, start);
    this.homes.set(entry, EVERYWHERE);
    this.records.set(entry, 0);
    this.#hashes.set(entry, hash(program));
    if (++this.#count * 2 > this.#slots.length) this.#rehash();
    this.#slots[this.#slotOf(program, this.#hashes.get(entry))] = entry;
    return entry;
  }

  program(entry: Entry): number[] {
    const start = this.programs.start(entry);
    return Array.from(this.programs.words.subarray(start, start + this.programs.length(entry)));
  }

  /** Removes the entry from the hash table. Its number stays taken while records remain. */
  forget(entry: Entry): void {
    this.#vacate(this.#slots.indexOf(entry, this.#hashes.get(entry) & (this.#slots.length - 1)), entry);
    this.programs.truncate(entry, 0);
    this.homes.set(entry, NONE);
    this.#count--;
    if (this.records.get(entry) === 0) this.#free.push(entry);
  }

  isForgotten(entry: Entry): boolean {
    return this.homes.get(entry) === NONE;
  }

  /** Counts one record of the entry as removed from a list. */
  dropRecord(entry: Entry): void {
    if (this.records.add(entry, -1) === 0 && this.isForgotten(entry)) this.#free.push(entry);
  }

  /** The slot that holds the entry of this program, or would hold it. */
  #slotOf(program: readonly number[], hashed: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashed & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] as number;
      if (entry === NONE || (this.#hashes.get(entry) === hashed && this.#equals(entry, program))) return slot;
    }
  }

  #equals(entry: Entry, program: readonly number[]): boolean {
    if (this.programs.length(entry) !== program.length) return false;
    const start = this.programs.start(entry);
    return program.every((word, at) => this.programs.words[start + at] === word);
  }

  /** Empties a slot. Moves up the entries that were displaced past it, so that no search ends too early. */
  #vacate(found: number, entry: Entry): void {
    const mask = this.#slots.length - 1;
    let hole = found === -1 ? this.#slots.indexOf(entry) : found;
    this.#slots[hole] = NONE;
    for (let slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
      const other = this.#slots[slot] as number;
      if (other === NONE) return;
      const wanted = this.#hashes.get(other) & mask;
      if (((slot - wanted) & mask) < ((slot - hole) & mask)) continue;
      this.#slots[hole] = other;
      this.#slots[slot] = NONE;
      hole = slot;
    }
  }

  #rehash(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2).fill(NONE);
    const mask = this.#slots.length - 1;
    for (const entry of old) {
      if (entry === NONE) continue;
      let slot = this.#hashes.get(entry) & mask;
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = entry;
    }
  }
}

function hash(program: readonly number[]): number {
  let mixed = program.length;
  for (const word of program) {
    mixed = Math.imul(mixed ^ word, 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}
