import { IntColumn } from './int-column.ts';

/** The smallest block, as a power of two. */
const LEAST = 1;

/**
 * Many growing lists of integers in one array, most of them short: an object each would take several times the
 * space of what it holds. A list lives in a block of a power of two; freed blocks are used again.
 */
export class IntLists {
  words = new Int32Array(1 << 10);
  readonly starts = new IntColumn();
  readonly lengths = new IntColumn();
  /** Of each list's block, the power of two; 0 is no block. */
  readonly #powers = new IntColumn();
  /** Of each power, the first free block; a free block's first word is the next one. -1 ends. */
  readonly #free: number[] = [];
  #end = 0;

  get bytes(): number {
    return this.words.byteLength + this.starts.bytes + this.lengths.bytes + this.#powers.bytes;
  }

  reserve(lists: number): void {
    this.starts.reserve(lists);
    this.lengths.reserve(lists);
    this.#powers.reserve(lists);
  }

  has(list: number): boolean {
    return list < this.lengths.values.length;
  }

  length(list: number): number {
    return this.lengths.get(list);
  }

  /** Makes room for `count` more words and returns where they begin in `words`. */
  extend(list: number, count: number): number {
    const length = this.length(list);
    if (this.#capacity(list) < length + count) this.#move(list, length + count);
    this.lengths.set(list, length + count);
    return this.starts.get(list) + length;
  }

  /** Keeps the first `length` words; an empty list gives its block back. */
  truncate(list: number, length: number): void {
    this.lengths.set(list, length);
    if (length === 0) this.#release(list);
    else if (length * 4 <= this.#capacity(list)) this.#move(list, length);
  }

  #capacity(list: number): number {
    const power = this.#powers.get(list);
    return power === 0 ? 0 : 1 << power;
  }

  #move(list: number, needed: number): void {
    const power = Math.max(LEAST, 32 - Math.clz32(needed - 1));
    const to = this.#allocate(power);
    const from = this.starts.get(list);
    this.words.copyWithin(to, from, from + this.length(list));
    this.#release(list);
    this.starts.set(list, to);
    this.#powers.set(list, power);
  }

  #allocate(power: number): number {
    const free = this.#free[power] ?? -1;
    if (free !== -1) {
      this.#free[power] = this.words[free] as number;
      return free;
    }
    const start = this.#end;
    this.#end += 1 << power;
    if (this.#end > this.words.length) {
      const old = this.words;
      this.words = new Int32Array(Math.max(this.#end, old.length + (old.length >> 1)));
      this.words.set(old);
    }
    return start;
  }

  #release(list: number): void {
    const power = this.#powers.get(list);
    if (power === 0) return;
    const start = this.starts.get(list);
    this.words[start] = this.#free[power] ?? -1;
    this.#free[power] = start;
    this.#powers.set(list, 0);
  }
}
