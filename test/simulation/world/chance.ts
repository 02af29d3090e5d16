import type { Random } from '../../../lib/platform/index.ts';
import { SeededRandom } from '../../bench/inputs/random.ts';

/** The least and the most value, both in the same unit. */
export type Range = readonly [least: number, most: number];

const HEXADECIMAL = '0123456789abcdef';
const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

/** All randomness of one run: the same seed draws the same numbers in the same order. */
export class Chance extends SeededRandom {
  within([least, most]: Range): number {
    return least + this.next() * (most - least);
  }

  /** Creates another source, whose draws do not affect those of this one. */
  fork(): Chance {
    return new Chance(this.below(2 ** 31));
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return this.sample(items, items.length);
  }

  /** Randomness as the code under test sees it. */
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
