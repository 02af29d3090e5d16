import type { Selector } from '../selector.ts';
import { nothing } from '../selector.ts';
import type { InternedLabels } from './interned-labels.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * A selector as a flat run of integers, three a requirement: operation, key, argument. The argument is a pair, a
 * bound's number, or the place of a list further on (its length, then its pairs, ascending).
 */
export interface Program {
  readonly code: readonly number[];
  readonly lists: readonly number[];
}

export const IS = 0;
const IS_NOT = 1;
const IN = 2;
const NOT_IN = 3;
const EXISTS = 4;
const ABSENT = 5;
const ABOVE = 6;
const BELOW = 7;
const NEVER = 8;
export const WIDTH = 3;
/** Up to here looking through a list beats halving it. */
const SHORT_LIST = 8;

/** @param base where the lists will stand; by default behind the code */
export function compile(vocabulary: Vocabulary, selector: Selector, base?: number): Program {
  if (selector === nothing) return { code: [NEVER, 0, 0], lists: [] };
  const start = base ?? selector.requirements.length * WIDTH;
  const lists: number[] = [];
  const steps = selector.requirements.map(({ key, operator, values }) => {
    const id = vocabulary.key(key);
    const pairs = () =>
      values.map((value) => vocabulary.pair(key, value)).sort((left, right) => left - right);
    const listed = (one: number, many: number) => {
      const asked = pairs();
      if (asked.length === 1) return [one, id, asked[0] as number];
      lists.push(asked.length, ...asked);
      return [many, id, start + lists.length - asked.length - 1];
    };
    switch (operator) {
      case '=':
      case '==':
      case 'in':
        return listed(IS, IN);
      case '!=':
      case 'notin':
        return listed(IS_NOT, NOT_IN);
      case 'exists':
        return [EXISTS, id, 0];
      case '!':
        return [ABSENT, id, 0];
      case 'gt':
        return [ABOVE, id, vocabulary.pair(key, values[0] ?? '')];
      case 'lt':
        return [BELOW, id, vocabulary.pair(key, values[0] ?? '')];
      default:
        throw operator satisfies never;
    }
  });
  // The cheapest and most selective first.
  return { code: steps.sort(([left = 0], [right = 0]) => left - right).flat(), lists };
}

/** Runs the requirements from `at` to `end`. */
export function run(
  { vocabulary, words }: { readonly vocabulary: Vocabulary; readonly words: Int32Array },
  labels: InternedLabels,
  at: number,
  end: number,
): boolean {
  const { slots, multiplier, shift, crowd } = labels;
  for (let step = at; step < end; step += WIDTH) {
    const operation = words[step] as number;
    const key = words[step + 1] as number;
    const asked = words[step + 2] as number;
    const place = Math.imul(key, multiplier) >>> shift;
    const pair = crowd === undefined ? (slots[place] as number) : (crowd.get(key) ?? 0);
    if (operation === IS) {
      if (pair !== asked) return false;
      continue;
    }
    switch (operation) {
      case IS_NOT:
        if (pair === asked) return false;
        break;
      case IN:
        if (!isListed(words, asked, pair)) return false;
        break;
      case NOT_IN:
        if (isListed(words, asked, pair)) return false;
        break;
      case EXISTS:
        if (vocabulary.keyOf(pair) !== key) return false;
        break;
      case ABSENT:
        if (vocabulary.keyOf(pair) === key) return false;
        break;
      case ABOVE:
        if (vocabulary.keyOf(pair) !== key || vocabulary.compare(pair, asked) <= 0) return false;
        break;
      case BELOW:
        if (vocabulary.keyOf(pair) !== key || vocabulary.compare(pair, asked) >= 0) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

function isListed(words: Int32Array, list: number, pair: number): boolean {
  const length = words[list] as number;
  let low = list + 1;
  let high = low + length;
  while (high - low > SHORT_LIST) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as number) <= pair) low = middle;
    else high = middle;
  }
  for (; low < high; low++) if (words[low] === pair) return true;
  return false;
}
