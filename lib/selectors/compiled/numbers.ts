import { parseInt64 } from '../int64.ts';
import { isMap, type LabelSet } from '../labels.ts';

/**
 * Numbers label keys and (key, value) pairs, so that frequent comparisons compare integers. It only grows, and never
 * reuses a number. Its owner bounds its size by dropping it together with everything built from it.
 */
export class Numbers {
  readonly #keys = new Map<string, Key>();
  /** The name by key. */
  readonly #names: string[] = [''];
  /** The value by pair. Pair 0 means no pair; its key is 0, which means no key. */
  readonly #values: string[] = [''];
  #keyOf = new Int32Array(64);
  /** The number that a pair's value spells, rounded; NaN where it spells none. */
  #numbers = new Float64Array(64).fill(Number.NaN);
  /** A buffer for the pairs of the current label set. */
  readonly #read: number[] = [];

  /** The number of distinct (key, value) pairs seen. */
  get size(): number {
    return this.#values.length - 1;
  }

  /** The pairs of the labels, in their order. */
  pairsIn(labels: LabelSet): number[] {
    const pairs = this.#read;
    let count = 0;
    if (isMap(labels)) {
      for (const [name, value] of labels) pairs[count++] = this.pair(name, value);
    } else {
      for (const name of Object.keys(labels)) pairs[count++] = this.pair(name, labels[name] ?? '');
    }
    return pairs.slice(0, count);
  }

  /** The number of a key, from 1. */
  key(name: string): number {
    return this.#intern(name).id;
  }

  /** The number of a pair, from 1. */
  pair(name: string, value: string): number {
    return this.#pairOf(this.#intern(name), value);
  }

  /** The number of a known pair; 0 if it is unknown. */
  find(name: string, value: string): number {
    return this.#keys.get(name)?.pairs.get(value) ?? 0;
  }

  /** The pairs of a key by value. */
  pairsOf(name: string): ReadonlyMap<string, number> {
    return this.#keys.get(name)?.pairs ?? NO_PAIRS;
  }

  keyOf(pair: number): number {
    return this.#keyOf[pair] as number;
  }

  nameOf(pair: number): string {
    return this.#names[this.keyOf(pair)] ?? '';
  }

  valueOf(pair: number): string {
    return this.#values[pair] ?? '';
  }

  /**
   * Returns a number above or below 0, as one value is above or below the other as 64-bit integers. Returns 0 for
   * equal values, and where one is not an integer.
   */
  compare(pair: number, bound: number): number {
    const left = this.#numbers[pair] as number;
    const right = this.#numbers[bound] as number;
    // Rounding preserves the order. Only a tie beyond the exact integers of doubles needs the digits.
    if (left !== right || Math.abs(left) <= Number.MAX_SAFE_INTEGER) return left - right || 0;
    return Number((parseInt64(this.valueOf(pair)) ?? 0n) - (parseInt64(this.valueOf(bound)) ?? 0n));
  }

  #intern(name: string): Key {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = { id: this.#names.push(name) - 1, pairs: new Map() };
    this.#keys.set(name, key);
    return key;
  }

  #pairOf(key: Key, value: string): number {
    const known = key.pairs.get(value);
    if (known !== undefined) return known;
    const pair = this.#values.push(value) - 1;
    if (pair === this.#keyOf.length) this.#grow();
    key.pairs.set(value, pair);
    this.#keyOf[pair] = key.id;
    this.#numbers[pair] = Number(parseInt64(value) ?? Number.NaN);
    return pair;
  }

  #grow(): void {
    this.#keyOf = grown(this.#keyOf);
    const numbers = new Float64Array(this.#keyOf.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }
}

interface Key {
  readonly id: number;
  readonly pairs: Map<string, number>;
}

const NO_PAIRS: ReadonlyMap<string, number> = new Map();

function grown(column: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(column.length * 2);
  longer.set(column);
  return longer;
}
