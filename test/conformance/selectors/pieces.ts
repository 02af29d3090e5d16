import { SeededRandom } from '../../bench/inputs/random.ts';

export type Pairs = Record<string, string>;
/** The same as JSON may have it. */
export type Given = Record<string, string | null>;

// Few keys, so that selectors match label sets. Each has a trap.
const KEYS =
  'a b x in notin constructor __proto__ example.com/a A_b.c exists gt toString k8s.io/in 1 x-y'.split(' ');
const ODD_KEYS = [
  ...[
    '',
    'é',
    '/a',
    'a/',
    'a/b/c',
    '-a',
    'a-',
    'A.B/c',
    'x..y/z',
    '"',
    '\\',
    'a\u0001',
    '𐀀',
    '\uffff',
    '\u200b',
    '\u00a0',
    '＝',
    'a:b',
    '*',
  ],
  ...['a'.repeat(63), 'a'.repeat(64), `${'d'.repeat(253)}/a`, `${'d'.repeat(254)}/a`],
];
const NUMBERS =
  '0 1 5 05 10 00000000000000000000000000000007 9223372036854775806 9223372036854775807 9223372036854775808';
const VALUES = ['', ...'a b c in notin A a.b a_b-c true'.split(' '), ...NUMBERS.split(' ')];
const ODD_VALUES = [
  ...[
    '-5',
    '+5',
    'a b',
    'é',
    '-',
    'a-',
    'a/b',
    '"',
    '\\',
    '1_0',
    '𐀀',
    '\uffff',
    '\ud7ff',
    '\ue000',
    '\x07',
    '\x7f',
    '\u2028',
  ],
  ...['v'.repeat(63), 'v'.repeat(64), `${'é'.repeat(32)}a`, '-9223372036854775808', '-9223372036854775809'],
];

/** Generates the parts of cases, half of them valid and half nonsense; the same for the same seed. */
export class Pieces {
  readonly random: SeededRandom;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  key(): string {
    return this.random.pick(this.random.chance(0.9) ? KEYS : ODD_KEYS);
  }

  value(): string {
    return this.random.pick(this.random.chance(0.88) ? VALUES : ODD_VALUES);
  }

  labels(most: number): Pairs {
    return toPairs(this.upTo(most, () => [this.key(), this.value()]));
  }

  givenLabels(most: number): Given {
    return toPairs(this.upTo(most, () => [this.key(), this.orNull(this.value())]));
  }

  /** Returns null now and then, as anything in JSON can be null. */
  orNull<T>(given: T): T | null {
    return this.random.chance(0.02) ? null : given;
  }

  upTo<T>(most: number, create: () => T): T[] {
    return this.times(this.random.below(most + 1), create);
  }

  times<T>(count: number, create: () => T): T[] {
    return Array.from({ length: count }, create);
  }
}

/** Creates an object in which `__proto__` is a property like any other. */
export function toPairs<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
