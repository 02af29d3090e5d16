/** The smallest block, as a power of two. */
const LEAST = 1;
/** The columns of each list in `table`: its start in `words`, its length, and its block's power of two (0: none). */
export const START = 0;
export const LENGTH = 1;
const POWER = 2;
/** The number of the columns above. A caller's own columns begin here. */
export const COLUMNS = 3;

/**
 * Many growing lists of integers in one array. Most lists are short, and an object for each would take several times
 * the space of its contents. Each list has a block whose size is a power of two; freed blocks are reused.
 */
export class IntLists {
  words = new Int32Array(1 << 10);
  /** `stride` integers for each list, adjacent because they are read together; replaced when it grows. */
  table: Int32Array;
  readonly stride: number;
  /** The first free block of each size. A free block's first word points to the next one; -1 ends the chain. */
  readonly #free: number[] = [];
  #end = 0;

  /** @param columns the number of integers that the caller stores for each list, from column {@link COLUMNS} on */
  constructor(columns = 0) {
    this.stride = COLUMNS + columns;
    this.table = new Int32Array(16 * this.stride);
  }

  get bytes(): number {
    return this.words.byteLength + this.table.byteLength;
  }

  /** Makes room for this many lists; new ones are empty. */
  reserve(lists: number): void {
    const old = this.table;
    const needed = lists * this.stride;
    if (needed <= old.length) return;
    const grown = Math.ceil((old.length * 1.5) / this.stride) * this.stride;
    this.table = new Int32Array(Math.max(needed, grown));
    this.table.set(old);
  }

  has(list: number): boolean {
    return list * this.stride < this.table.length;
  }

  start(list: number): number {
    return this.table[list * this.stride + START] as number;
  }

  length(list: number): number {
    return this.table[list * this.stride + LENGTH] as number;
  }

  /** Makes room for `count` more words, and returns their start in `words`. */
  extend(list: number, count: number): number {
    const row = list * this.stride;
    const length = this.table[row + LENGTH] as number;
    if (this.#capacity(row) < length + count) this.#move(row, length + count);
    this.table[row + LENGTH] = length + count;
    return (this.table[row + START] as number) + length;
  }

  /** Keeps the first `length` words; an empty list frees its block. */
  truncate(list: number, length: number): void {
    const row = list * this.stride;
    this.table[row + LENGTH] = length;
    if (length === 0) {
      this.#release(row);
    } else if (length * 4 <= this.#capacity(row)) this.#move(row, length);
  }

  /** Replaces the list with the first `length` words of another array. */
  replace(list: number, words: Int32Array, length: number): void {
    this.truncate(list, Math.min(length, this.length(list)));
    this.extend(list, length - this.length(list));
    this.words.set(words.subarray(0, length), this.start(list));
  }

  #capacity(row: number): number {
    const power = this.table[row + POWER] as number;
    return power === 0 ? 0 : 1 << power;
  }

  #move(row: number, needed: number): void {
    const power = Math.max(LEAST, 32 - Math.clz32(needed - 1));
    const to = this.#allocate(power);
    const from = this.table[row + START] as number;
    this.words.copyWithin(to, from, from + Math.min(needed, this.table[row + LENGTH] as number));
    this.#release(row);
    this.table[row + START] = to;
    this.table[row + POWER] = power;
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

  #release(row: number): void {
    const power = this.table[row + POWER] as number;
    if (power === 0) return;
    const start = this.table[row + START] as number;
    this.words[start] = this.#free[power] ?? -1;
    this.#free[power] = start;
    this.table[row + POWER] = 0;
  }
}
