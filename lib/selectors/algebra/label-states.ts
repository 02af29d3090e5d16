import { parseInt64 } from '../int64.ts';
import type { Requirement } from '../requirement.ts';
import { countSpellings, type IntegerRange, LARGEST_INTEGER } from './integer-values.ts';

/**
 * The number of all label values: the empty one, and those of 1 to 63 characters. The first and the last character
 * are letters or digits (62); those between may also be `-`, `_` or `.` (65). Because the number is finite, counting
 * answers every question about sets of values exactly.
 */
const LABEL_VALUES = /* @__PURE__ */ countLabelValues();

/**
 * The possible states of one label, absent or one of the label values, while requirements narrow them down. Values
 * are stored in one of two forms: as a list, or as all values except some holes. After `>` or `<`, the latter form
 * means all values of an integer range.
 */
export class LabelStates {
  #absent = true;
  #listed: Set<string> | undefined;
  #range: IntegerRange | undefined;
  /**
   * The excluded values. They lie within the range, so that counting is a subtraction. Empty while values are listed.
   */
  #holes = new Set<string>();

  get absent(): boolean {
    return this.#absent;
  }

  get listed(): ReadonlySet<string> | undefined {
    return this.#listed;
  }

  get range(): IntegerRange | undefined {
    return this.#range;
  }

  get holes(): ReadonlySet<string> {
    return this.#holes;
  }

  /** The number of remaining states. */
  get count(): bigint {
    return (this.#absent ? 1n : 0n) + this.#countValues();
  }

  /** Removes the states that do not meet the requirement. */
  narrow({ operator, values }: Requirement): void {
    if (operator !== '!' && operator !== '!=' && operator !== 'notin') this.#absent = false;
    switch (operator) {
      case '!':
        this.#keepListed([]);
        break;
      case 'exists':
        break;
      case '=':
      case '==':
      case 'in':
        this.#keepListed(values);
        break;
      case '!=':
      case 'notin':
        this.#remove(values);
        break;
      case 'gt':
        this.#keepRange({ low: boundOf(values) + 1n, high: LARGEST_INTEGER });
        break;
      case 'lt':
        this.#keepRange({ low: 0n, high: boundOf(values) - 1n });
        break;
      default:
        throw operator satisfies never;
    }
  }

  #countValues(): bigint {
    if (this.#listed) return BigInt(this.#listed.size);
    const all = this.#range ? countSpellings(this.#range) : LABEL_VALUES;
    return all - BigInt(this.#holes.size);
  }

  #keepListed(values: readonly string[]): void {
    this.#listed = new Set(values.filter((value) => this.#has(value)));
    this.#holes = new Set();
    this.#range = undefined;
  }

  #remove(values: readonly string[]): void {
    for (const value of values) {
      if (this.#listed) {
        this.#listed.delete(value);
      } else if (this.#has(value)) this.#holes.add(value);
    }
  }

  #keepRange(asked: IntegerRange): void {
    if (this.#listed) {
      this.#keepListed([...this.#listed].filter((value) => isWithin(value, asked)));
      return;
    }
    const range = this.#range ? overlapOf(this.#range, asked) : asked;
    this.#range = range;
    this.#holes = new Set([...this.#holes].filter((value) => isWithin(value, range)));
  }

  #has(value: string): boolean {
    if (this.#listed) return this.#listed.has(value);
    return !this.#holes.has(value) && (!this.#range || isWithin(value, this.#range));
  }
}

/** The states that remain under requirements on one label. */
export function statesOf(requirements: readonly Requirement[]): LabelStates {
  const states = new LabelStates();
  for (const requirement of narrowestFirst(requirements)) states.narrow(requirement);
  return states;
}

const RANKS = { '!': 0, exists: 1, gt: 2, lt: 3, '=': 4, '==': 4, in: 4, '!=': 5, notin: 5 } as const;

/**
 * The same requirements, in the order in which narrowing takes linear time: the tightest bounds before any list, the
 * shortest list before longer ones, and exclusions last.
 */
export function narrowestFirst(requirements: readonly Requirement[]): readonly Requirement[] {
  if (requirements.length < 2) return requirements;
  const weighed = requirements.map((requirement) => ({ requirement, weight: weightOf(requirement) }));
  weighed.sort(
    (left, right) =>
      RANKS[left.requirement.operator] - RANKS[right.requirement.operator] ||
      ascending(left.weight, right.weight),
  );
  return weighed.map(({ requirement }) => requirement);
}

function weightOf({ operator, values }: Requirement): bigint | number {
  if (operator === 'gt') return -boundOf(values);
  return operator === 'lt' ? boundOf(values) : values.length;
}

function countLabelValues(): bigint {
  const longer = (62n * 62n * (65n ** 62n - 1n)) / 64n;
  return 1n + 62n + longer;
}

function ascending(left: bigint | number, right: bigint | number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function boundOf([value = '']: readonly string[]): bigint {
  const bound = parseInt64(value);
  if (bound === undefined) throw new RangeError(`a bound that is no 64-bit integer: ${value}`);
  return bound;
}

function isWithin(value: string, { low, high }: IntegerRange): boolean {
  const integer = parseInt64(value);
  return integer !== undefined && integer >= low && integer <= high;
}

function overlapOf(one: IntegerRange, other: IntegerRange): IntegerRange {
  return {
    low: one.low > other.low ? one.low : other.low,
    high: one.high < other.high ? one.high : other.high,
  };
}
