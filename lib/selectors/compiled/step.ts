import type { Requirement } from '../requirement.ts';
import { nothing, type Selector } from '../selector.ts';
import type { Numbers } from './numbers.ts';

/**
 * One requirement as integers of a vocabulary: a condition on an object's pair for `key`, which is 0 where the object
 * lacks the key.
 */
export interface Step {
  readonly key: number;
  readonly demand: Demand;
  /** The requested values, ascending; for `exists` and `!` only 0, the pair of objects without the key. */
  readonly pairs: readonly number[];
}

export const LISTED = 0;
export const UNLISTED = 1;
/** The value must be above or below that of the only pair, as 64-bit integers. */
export const ABOVE = 2;
export const BELOW = 3;
export type Demand = typeof LISTED | typeof UNLISTED | typeof ABOVE | typeof BELOW;

/**
 * Compiles a selector to steps. Steps that require a listed pair come first: they leave the fewest label sets for
 * later steps.
 */
export function compile(vocabulary: Numbers, selector: Selector): readonly Step[] {
  if (selector === nothing) return [{ key: 0, demand: LISTED, pairs: [] }];
  return selector.requirements
    .map((requirement) => toStep(vocabulary, requirement))
    .sort((left, right) => left.demand - right.demand);
}

export function accepts({ demand, pairs }: Step, pair: number, vocabulary: Numbers): boolean {
  switch (demand) {
    case LISTED:
      return isListed(pairs, pair);
    case UNLISTED:
      return !isListed(pairs, pair);
    case ABOVE:
      return vocabulary.compare(pair, pairs[0] ?? 0) > 0;
    case BELOW:
      return vocabulary.compare(pair, pairs[0] ?? 0) < 0;
    default:
      throw demand satisfies never;
  }
}

function toStep(vocabulary: Numbers, { key: name, operator, values }: Requirement): Step {
  const key = vocabulary.key(name);
  const pairs = values.map((value) => vocabulary.pair(name, value)).sort((left, right) => left - right);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return { key, demand: LISTED, pairs };
    case '!=':
    case 'notin':
      return { key, demand: UNLISTED, pairs };
    case 'exists':
      return { key, demand: UNLISTED, pairs: [0] };
    case '!':
      return { key, demand: LISTED, pairs: [0] };
    case 'gt':
      return { key, demand: ABOVE, pairs };
    case 'lt':
      return { key, demand: BELOW, pairs };
    default:
      throw operator satisfies never;
  }
}

/** The longest list for which a linear scan is faster than a binary search. */
const SHORT_LIST = 8;

function isListed(pairs: readonly number[], pair: number): boolean {
  let low = 0;
  let high = pairs.length;
  while (high - low > SHORT_LIST) {
    const middle = (low + high) >>> 1;
    if ((pairs[middle] as number) <= pair) {
      low = middle;
    } else {
      high = middle;
    }
  }
  for (; low < high; low++) if (pairs[low] === pair) return true;
  return false;
}
