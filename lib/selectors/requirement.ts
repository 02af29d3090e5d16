import { parseInt64 } from './int64.ts';
import { type LabelSet, readLabel } from './labels.ts';
import { compareUtf8 } from './utf8.ts';

/** k8s.io/apimachinery/pkg/selection.Operator */
export type Operator = '=' | '==' | 'in' | '!=' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. `values` is sorted and without duplicates; empty for `exists` and `!`. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  matches(labels: LabelSet): boolean;
  /** The canonical text, as Kubernetes prints it. */
  toString(): string;
}

/** The longest list for which a linear scan is faster than hashing. */
const SHORT_LIST = 8;

/** The condition of an operator on the value: `a`, `a in (…)`, `a > 1`, or the opposite. */
const ANY_VALUE = 0;
const ONE_VALUE = 1;
const FEW_VALUES = 2;
const MANY_VALUES = 3;
const ABOVE = 4;
const BELOW = 5;
type Kind =
  | typeof ANY_VALUE
  | typeof ONE_VALUE
  | typeof FEW_VALUES
  | typeof MANY_VALUES
  | typeof ABOVE
  | typeof BELOW;

/** Creates a requirement from valid parts. Callers validate them, because the error paths differ. */
export function createRequirement(
  key: string,
  operator: Operator,
  values: readonly string[],
): LabelRequirement {
  return new LabelRequirement(key, operator, values);
}

/** One class for every operator: only the data differs, so that engines compile it well. */
export class LabelRequirement implements Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  /** The values that Kubernetes prints: a LabelSelector object that repeats a value keeps the repetition. */
  readonly #listed: readonly string[];
  readonly #kind: Kind;
  /**
   * `!=`, `notin` and `!` hold exactly where the opposite operator does not hold, and so also where the label is
   * absent.
   */
  readonly #negated: boolean;
  readonly #only: string;
  readonly #many: ReadonlySet<string>;
  readonly #bound: bigint;

  constructor(key: string, operator: Operator, values: readonly string[]) {
    this.key = internalize(key);
    this.operator = operator;
    this.#listed = values.map(internalize).sort(compareUtf8);
    this.values = [...new Set(this.#listed)];
    this.#kind = kindOf(operator, this.values.length);
    this.#negated = operator === '!=' || operator === 'notin' || operator === '!';
    this.#only = this.values[0] ?? '';
    this.#many = this.#kind === MANY_VALUES ? new Set(this.values) : NO_VALUES;
    this.#bound = this.#kind === ABOVE || this.#kind === BELOW ? (parseInt64(this.#only) ?? 0n) : 0n;
  }

  matches(labels: LabelSet): boolean {
    return this.accepts(readLabel(labels, this.key));
  }

  /**
   * Whether a value meets the requirement; undefined means that the label is absent. A requirement reads nothing else
   * of the object.
   */
  accepts(value: string | undefined): boolean {
    if (value === undefined) return this.#negated;
    if (this.#kind === ONE_VALUE) return (value === this.#only) !== this.#negated;
    return this.#isAsked(value) !== this.#negated;
  }

  toString(): string {
    return print(this.key, this.operator, this.#listed.join(','));
  }

  #isAsked(value: string): boolean {
    switch (this.#kind) {
      case ANY_VALUE:
        return true;
      case ONE_VALUE:
        return value === this.#only;
      case FEW_VALUES:
        return this.#isOneOf(value);
      case MANY_VALUES:
        return this.#many.has(value);
      case ABOVE:
        return compareInt64(value, this.#bound) > 0;
      case BELOW:
        return compareInt64(value, this.#bound) < 0;
      default:
        throw this.#kind satisfies never;
    }
  }

  /** Whether the value is in the short list. `===` mostly compares addresses, where `includes` compares characters. */
  #isOneOf(value: string): boolean {
    for (let at = 0; at < this.values.length; at++) if (this.values[at] === value) return true;
    return false;
  }
}

/**
 * Returns the same text as an interned string, as engines store property names. Labels parsed from JSON have interned
 * strings, and two of those compare by address. A slice of a selector's text would be compared character by character
 * at every match.
 */
function internalize(text: string): string {
  const [name = text] = Object.keys({ [text]: 0 });
  return name;
}

const NO_VALUES: ReadonlySet<string> = new Set();

function kindOf(operator: Operator, count: number): Kind {
  switch (operator) {
    case 'exists':
    case '!':
      return ANY_VALUE;
    case 'gt':
      return ABOVE;
    case 'lt':
      return BELOW;
    case '=':
    case '==':
    case '!=':
    case 'in':
    case 'notin':
      return count === 1 ? ONE_VALUE : count <= SHORT_LIST ? FEW_VALUES : MANY_VALUES;
    default:
      throw operator satisfies never;
  }
}

/**
 * Returns a number above or below 0, as the value is above or below the bound; 0 also where it is not a 64-bit
 * integer.
 */
function compareInt64(value: string, bound: bigint): number {
  const actual = parseInt64(value);
  if (actual === undefined || actual === bound) return 0;
  return actual > bound ? 1 : -1;
}

function print(key: string, operator: Operator, list: string): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${list}`;
    default:
      throw operator satisfies never;
  }
}
