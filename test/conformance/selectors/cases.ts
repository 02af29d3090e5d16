import type { SeededRandom } from '../../bench/inputs/random.ts';
import { type Given, type Pairs, Pieces, toPairs } from './pieces.ts';

/**
 * One question to both implementations: `label` and `field` are texts, `object` is a LabelSelector, `map` a map
 * selector, `name` any text.
 */
export type Case =
  | { readonly kind: 'label' | 'field'; readonly text: string; readonly sets: readonly Pairs[] }
  | { readonly kind: 'object'; readonly selector: LabelSelector | null; readonly sets: readonly Pairs[] }
  | { readonly kind: 'map'; readonly map: Given; readonly sets: readonly Pairs[] }
  | { readonly kind: 'name'; readonly text: string };

/** A LabelSelector as JSON may have it: anything in it can be null. */
export interface LabelSelector {
  readonly matchLabels?: Given | null;
  readonly matchExpressions?: readonly (Expression | null)[] | null;
}

interface Expression {
  readonly key: string | null;
  readonly operator: string | null;
  readonly values?: readonly (string | null)[] | null;
}

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
/**
 * The most requirements of a selector. Beyond this Go's sort is not stable, and the text of a repeated key is random.
 */
const MOST_REQUIREMENTS = 12;

/** Generates cases, half of them valid and half nonsense; the same for the same seed. */
export class Cases {
  readonly #pieces: Pieces;
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#pieces = new Pieces(seed);
    this.#random = this.#pieces.random;
  }

  next(): Case {
    const kind = this.#random.pick(KINDS);
    switch (kind) {
      case 'label':
        return { kind, text: this.#labelText(), sets: this.#labelSets() };
      case 'object':
        return { kind, selector: this.#labelSelector(), sets: this.#labelSets() };
      case 'map':
        return { kind, map: this.#pieces.givenLabels(3), sets: this.#labelSets() };
      case 'field':
        return { kind, text: this.#fieldText(), sets: this.#pieces.times(4, () => this.#fieldSet()) };
      case 'name':
        return { kind, text: this.#name() };
      default:
        throw kind satisfies never;
    }
  }

  #labelText(): string {
    const random = this.#random;
    if (random.chance(0.3)) return this.#pieces.upTo(9, () => random.pick(TOKENS)).join('');
    const most = random.chance(0.05) ? MOST_REQUIREMENTS : 3;
    let text = this.#spread(this.#pieces.upTo(most, () => this.#requirement()));
    while (random.chance(0.3)) text = this.#spoil(text);
    return text.toWellFormed();
  }

  #requirement(): string {
    const key = this.#pieces.key();
    const operator = this.#random.pick(['', '!', '=', '==', '!=', 'in', 'notin', '>', '<']);
    if (operator === '') return key;
    if (operator === '!') return `!${this.#blank()}${key}`;
    if (!operator.endsWith('in')) {
      return `${key}${this.#blank()}${operator}${this.#blank()}${this.#pieces.value()}`;
    }
    const values = this.#pieces.upTo(4, () => (this.#random.chance(0.1) ? '' : this.#pieces.value()));
    return `${key}${this.#blank() || ' '}${operator}${this.#blank()}(${this.#spread(values)})`;
  }

  /** Adds a token to a text, or removes a character. */
  #spoil(text: string): string {
    const at = this.#random.below(text.length + 1);
    const rest = this.#random.chance(0.5) ? this.#random.pick(TOKENS) + text.slice(at) : text.slice(at + 1);
    return text.slice(0, at) + rest;
  }

  #labelSelector(): LabelSelector | null {
    const random = this.#random;
    if (random.chance(0.02)) return null;
    const pieces = this.#pieces;
    const expressions = () => pieces.upTo(3, () => pieces.orNull(this.#expression()));
    return {
      ...(random.chance(0.6) && { matchLabels: pieces.orNull(pieces.givenLabels(3)) }),
      ...(random.chance(0.8) && { matchExpressions: pieces.orNull(expressions()) }),
    };
  }

  #expression(): Expression {
    const random = this.#random;
    const pieces = this.#pieces;
    const odd = ['in', '', 'Gt', 'Equals', '=', 'Lt', 'exists'];
    const operator = random.pick(random.chance(0.95) ? ['In', 'NotIn', 'Exists', 'DoesNotExist'] : odd);
    const takesValues = operator === 'In' || operator === 'NotIn';
    const hasValues = random.chance(takesValues ? 0.96 : 0.06);
    const values = () => pieces.orNull(pieces.upTo(3, () => pieces.orNull(pieces.value())));
    return {
      key: pieces.orNull(pieces.key()),
      operator: pieces.orNull(operator),
      ...(hasValues && { values: values() }),
    };
  }

  #fieldText(): string {
    const random = this.#random;
    if (random.chance(0.4)) return this.#pieces.upTo(8, () => random.pick(FIELD_TOKENS)).join('');
    const term = () => random.pick(FIELDS) + random.pick(['=', '==', '!=']) + random.pick(FIELD_VALUES);
    return this.#pieces.upTo(3, term).join();
  }

  #fieldSet(): Pairs {
    const random = this.#random;
    const field = () => random.pick([...FIELDS, '__proto__']);
    return toPairs(
      this.#pieces.upTo(4, () => [field(), random.pick(['a', 'b', '', 'x y', ',', '=', '\\', 'é'])]),
    );
  }

  #name(): string {
    const random = this.#random;
    const length = random.pick([1, 2, 31, 62, 63, 64, 126, 127, 253, 254]);
    const long =
      random.pick(['a', '.', '-', 'A', 'é', 'a.']).repeat(length) + random.pick(['', 'a', '/', '/a', '-']);
    const short = this.#pieces
      .upTo(6, () => random.pick(random.chance(0.85) ? LETTERS : ODD_LETTERS))
      .join('');
    return random.pick([this.#pieces.key(), this.#pieces.value(), long, short]);
  }

  #labelSets(): Pairs[] {
    return this.#pieces.times(4, () => this.#pieces.labels(5));
  }

  #blank(): string {
    return this.#random.chance(0.75) ? '' : this.#random.pick(BLANKS);
  }

  /** Joins parts with commas, and adds random blanks. */
  #spread(parts: readonly string[]): string {
    return parts.map((part) => this.#blank() + part + this.#blank()).join();
  }
}
