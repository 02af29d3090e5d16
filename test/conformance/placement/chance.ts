import { SeededRandom } from '../../bench/inputs/random.ts';

/** A source of randomness with helpers for generating objects. */
export class Chance extends SeededRandom {
  /** Returns a generated value with this probability, otherwise undefined. */
  maybe<T>(probability: number, make: () => T): T | undefined {
    return this.chance(probability) ? make() : undefined;
  }

  upTo<T>(most: number, make: () => T): T[] {
    return this.times(this.below(most + 1), make);
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  shuffled<T>(items: readonly T[]): T[] {
    return this.sample(items, items.length);
  }
}
