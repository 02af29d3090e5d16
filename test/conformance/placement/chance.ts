import { SeededRandom } from '../../bench/inputs/random.ts';

/** Chance with a few words of its own for what objects are made of. */
export class Chance extends SeededRandom {
  /** Now and then what is made, else nothing. */
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
