/** A seeded source of chance (mulberry32), so that every run and every peer sees the same inputs. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** `count` different items, in no order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const pool = [...items];
    return Array.from({ length: count }, () => pool.splice(this.below(pool.length), 1)).flat();
  }
}

/** The numbers 0 … size - 1, number i in proportion to 1 / (i + 1) ** exponent; exponent 0 is uniform. */
export class Zipf {
  readonly size: number;
  readonly #cumulative: Float64Array;

  constructor(size: number, exponent: number) {
    this.size = size;
    this.#cumulative = new Float64Array(size);
    let sum = 0;
    for (let at = 0; at < size; at++) {
      sum += (at + 1) ** -exponent;
      this.#cumulative[at] = sum;
    }
    for (let at = 0; at < size; at++) this.#cumulative[at] = this.#upTo(at) / sum;
  }

  draw(random: SeededRandom): number {
    const wanted = random.next();
    let low = 0;
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#upTo(middle) > wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  probability(number: number): number {
    return this.#upTo(number) - this.#upTo(number - 1);
  }

  #upTo(number: number): number {
    return this.#cumulative[number] ?? 0;
  }
}
