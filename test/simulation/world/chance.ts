import type { Random } from '../../../lib/platform/index.ts';
import { SeededRandom } from '../../bench/inputs/random.ts';

/** From the least to the most, both in the same unit. */
export type Range = readonly [least: number, most: number];

const HEXADECIMAL = '0123456789abcdef';
const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

/** All chance of one run: the same seed draws the same numbers in the same order. */
export class Chance extends SeededRandom {
  within([least, most]: Range): number {
    return least + this.next() * (most - least);
  }

  /** Another source that the draws of this one do not disturb. */
  fork(): Chance {
    return new Chance(this.below(2 ** 31));
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return this.sample(items, items.length);
  }

  /** Chance as the code under test sees it. */
  asRandom(): Random {
    const digits = (length: number, alphabet: string) =>
      Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
    return {
      fraction: () => this.next(),
      suffix: (length) => digits(length, SUFFIX),
      uuid: () => `${digits(8, HEXADECIMAL)}-0000-4000-8000-${digits(12, HEXADECIMAL)}`,
    };
  }
}
