import { SeededRandom } from '../../bench/random.ts';

type Pairs = Record<string, string>;

/** One question to both: `label` and `field` are texts, `object` a LabelSelector, `map` a map selector, `name` any text. */
export type Case =
  | { readonly kind: 'label' | 'field'; readonly text: string; readonly sets: readonly Pairs[] }
  | { readonly kind: 'object'; readonly selector: LabelSelector | null; readonly sets: readonly Pairs[] }
  | { readonly kind: 'map'; readonly map: Pairs; readonly sets: readonly Pairs[] }
  | { readonly kind: 'name'; readonly text: string };

export interface LabelSelector {
  readonly matchLabels?: Pairs;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: string[] }[];
}

// Few, so that selectors and label sets meet; and each with a trap.
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
const TOKENS = [
  'a',
  'b',
  'in',
  'notin',
  '=',
  '==',
  '!=',
  '!',
  '(',
  ')',
  ',',
  '>',
  '<',
  ' ',
  '\t',
  '\0',
  '5',
  'é',
  'x',
  '.',
  '-',
  '/',
];
const BLANKS = [' ', '  ', '\t', '\r\n', '\n', ' \t'];
const FIELDS = ['a', 'b', 'metadata.name', 'status.phase', '', 'a b', '!', '\\'];
const FIELD_VALUES = ['a', 'b', '', 'x y', '\\,', '\\=', '\\\\', '\\a', 'é', 'c=d', '𐀀z', '\uffffz'];
const FIELD_TOKENS = [
  'a',
  'b',
  'metadata.name',
  '=',
  '==',
  '!=',
  '!',
  ',',
  '\\',
  '\\,',
  '\\=',
  '\\\\',
  ' ',
  'é',
  '𐀀',
  'x',
  '\0',
  '\uffff',
];
const LETTERS = ['a', 'b', 'A', 'Z', '0', '9', '-', '.', '_', '/'];
const ODD_LETTERS = [
  'é',
  '𐀀',
  ' ',
  '\n',
  '\0',
  '"',
  '\\',
  '\u2028',
  '\ue000',
  '\u0301',
  '\u00ad',
  '\ufeff',
  '😀',
  '\u3000',
  '\x80',
];
const KINDS = ['label', 'label', 'label', 'object', 'map', 'field', 'name'] as const;
/** Beyond this Go's sort is not stable, and with a key asked for twice its text is a matter of chance. */
const MOST_REQUIREMENTS = 12;

/** Generates cases, half sense and half nonsense; the same for the same seed. */
export class Cases {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  next(): Case {
    const kind = this.#random.pick(KINDS);
    switch (kind) {
      case 'label':
        return { kind, text: this.#labelText(), sets: this.#labelSets() };
      case 'object':
        return { kind, selector: this.#labelSelector(), sets: this.#labelSets() };
      case 'map':
        return { kind, map: this.#labels(3), sets: this.#labelSets() };
      case 'field':
        return { kind, text: this.#fieldText(), sets: this.#times(4, () => this.#fieldSet()) };
      case 'name':
        return { kind, text: this.#name() };
      default:
        throw kind satisfies never;
    }
  }

  #labelText(): string {
    const random = this.#random;
    if (random.chance(0.3)) return this.#upTo(9, () => random.pick(TOKENS)).join('');
    const most = random.chance(0.05) ? MOST_REQUIREMENTS : 3;
    let text = this.#spread(this.#upTo(most, () => this.#requirement()));
    while (random.chance(0.3)) text = this.#spoil(text);
    return text.toWellFormed();
  }

  #requirement(): string {
    const key = this.#key();
    const operator = this.#random.pick(['', '!', '=', '==', '!=', 'in', 'notin', '>', '<']);
    if (operator === '') return key;
    if (operator === '!') return `!${this.#blank()}${key}`;
    if (!operator.endsWith('in')) return `${key}${this.#blank()}${operator}${this.#blank()}${this.#value()}`;
    const values = this.#upTo(4, () => (this.#random.chance(0.1) ? '' : this.#value()));
    return `${key}${this.#blank() || ' '}${operator}${this.#blank()}(${this.#spread(values)})`;
  }

  /** A token more, or a character less. */
  #spoil(text: string): string {
    const at = this.#random.below(text.length + 1);
    const rest = this.#random.chance(0.5) ? this.#random.pick(TOKENS) + text.slice(at) : text.slice(at + 1);
    return text.slice(0, at) + rest;
  }

  #labelSelector(): LabelSelector | null {
    const random = this.#random;
    if (random.chance(0.02)) return null;
    return {
      ...(random.chance(0.6) && { matchLabels: this.#labels(3) }),
      ...(random.chance(0.8) && { matchExpressions: this.#upTo(3, () => this.#expression()) }),
    };
  }

  #expression() {
    const random = this.#random;
    const odd = ['in', '', 'Gt', 'Equals', '=', 'Lt', 'exists'];
    const operator = random.pick(random.chance(0.95) ? ['In', 'NotIn', 'Exists', 'DoesNotExist'] : odd);
    const takesValues = operator === 'In' || operator === 'NotIn';
    const hasValues = random.chance(takesValues ? 0.96 : 0.06);
    return { key: this.#key(), operator, ...(hasValues && { values: this.#upTo(3, () => this.#value()) }) };
  }

  #fieldText(): string {
    const random = this.#random;
    if (random.chance(0.4)) return this.#upTo(8, () => random.pick(FIELD_TOKENS)).join('');
    const term = () => random.pick(FIELDS) + random.pick(['=', '==', '!=']) + random.pick(FIELD_VALUES);
    return this.#upTo(3, term).join();
  }

  #fieldSet(): Pairs {
    const random = this.#random;
    const field = () => random.pick([...FIELDS, '__proto__']);
    return toPairs(this.#upTo(4, () => [field(), random.pick(['a', 'b', '', 'x y', ',', '=', '\\', 'é'])]));
  }

  #name(): string {
    const random = this.#random;
    const length = random.pick([1, 2, 31, 62, 63, 64, 126, 127, 253, 254]);
    const long =
      random.pick(['a', '.', '-', 'A', 'é', 'a.']).repeat(length) + random.pick(['', 'a', '/', '/a', '-']);
    const short = this.#upTo(6, () => random.pick(random.chance(0.85) ? LETTERS : ODD_LETTERS)).join('');
    return random.pick([this.#key(), this.#value(), long, short]);
  }

  #labelSets(): Pairs[] {
    return this.#times(4, () => this.#labels(5));
  }

  #labels(most: number): Pairs {
    return toPairs(this.#upTo(most, () => [this.#key(), this.#value()]));
  }

  #key(): string {
    return this.#random.pick(this.#random.chance(0.9) ? KEYS : ODD_KEYS);
  }

  #value(): string {
    return this.#random.pick(this.#random.chance(0.88) ? VALUES : ODD_VALUES);
  }

  #blank(): string {
    return this.#random.chance(0.75) ? '' : this.#random.pick(BLANKS);
  }

  /** Joined by commas, with blanks anywhere. */
  #spread(parts: readonly string[]): string {
    return parts.map((part) => this.#blank() + part + this.#blank()).join();
  }

  #upTo<T>(most: number, create: () => T): T[] {
    return this.#times(this.#random.below(most + 1), create);
  }

  #times<T>(count: number, create: () => T): T[] {
    return Array.from({ length: count }, create);
  }
}

/** `__proto__` becomes a property as any other. */
function toPairs(entries: readonly (readonly [string, string])[]): Pairs {
  return Object.fromEntries(entries);
}
