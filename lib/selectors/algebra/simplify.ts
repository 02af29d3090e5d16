import { parseInt64 } from '../int64.ts';
import { createRequirement, type Operator } from '../requirement.ts';
import { createSelector, nothing, type Selector } from '../selector.ts';
import { byKey, isNothing } from './by-key.ts';
import { type Contradiction, findContradiction } from './contradiction.ts';
import {
  countSpellings,
  FEWEST_SPELLINGS,
  type IntegerRange,
  LARGEST_INTEGER,
  spellings,
} from './integer-values.ts';
import { type LabelStates, statesOf } from './label-states.ts';

export interface Simplified {
  /**
   * A selector that matches the same label sets without a redundant requirement; `nothing` where no label set can
   * match.
   */
  readonly selector: Selector;
  /** Why nothing can match. Absent for `nothing` itself, which has no requirements. */
  readonly contradiction?: Contradiction;
}

/**
 * Returns the shortest equal selector: `a in (x,y),a=x` becomes `a=x`, and `a!=b,!a` becomes `!a`. Selectors that are
 * equal as sets become the same text, so the text of a simplified selector is a key for the set.
 */
export function simplify(selector: Selector): Simplified {
  if (isNothing(selector)) return { selector };
  const requirements = [];
  for (const [key, asked] of byKey(selector)) {
    const contradiction = findContradiction(key, asked);
    if (contradiction) return { selector: nothing, contradiction };
    for (const [operator, values] of shortest(statesOf(asked))) {
      requirements.push(createRequirement(key, operator, values));
    }
  }
  const simple = createSelector(requirements);
  return { selector: simple.toString() === selector.toString() ? selector : simple };
}

type Ask = readonly [Operator, readonly string[]];

/** The values of an integer range, except some. */
interface Integers extends IntegerRange {
  readonly holes: ReadonlySet<string>;
}

/** The requirements for exactly these states. There must be at least one state. */
function shortest({ absent, listed, range, holes }: LabelStates): Ask[] {
  if (listed) return absent ? [['!', []]] : askListed(listed);
  if (range) return askIntegers(tighten({ ...range, holes }));
  return absent ? askExcept(holes) : [['exists', []], ...askExcept(holes)];
}

/**
 * The requirements for listed values. If the list is nearly a whole range, the bounds and the exceptions are shorter.
 */
function askListed(values: ReadonlySet<string>): Ask[] {
  const range = hullOf(values);
  if (!range || values.size <= countSpellings(range) - BigInt(values.size) + 1n) return [oneOf(values)];
  const holes = [...spellings(range)].filter((value) => !values.has(value));
  return askRange({ ...range, holes: new Set(holes) });
}

function askIntegers(integers: Integers): Ask[] {
  const { holes } = integers;
  const isMostlyHoles = countSpellings(integers) - BigInt(holes.size) <= holes.size + 1;
  if (!isMostlyHoles) return askRange(integers);
  return [oneOf([...spellings(integers)].filter((value) => !holes.has(value)))];
}

/** The requirements for a range. One bound already requires an integer; 0 and the largest integer need no bound. */
function askRange({ low, high, holes }: Integers): Ask[] {
  const above: Ask[] = low > 0n ? [['gt', [`${low - 1n}`]]] : [];
  const below: Ask[] = high < LARGEST_INTEGER ? [['lt', [`${high + 1n}`]]] : [];
  return [...above, ...below, ...askExcept(holes)];
}

function oneOf(values: Iterable<string>): Ask {
  const list = [...values];
  return [list.length === 1 ? '=' : 'in', list];
}

function askExcept(values: ReadonlySet<string>): Ask[] {
  if (values.size === 0) return [];
  return [[values.size === 1 ? '!=' : 'notin', [...values]]];
}

/** The smallest range that contains the values; undefined where one of them is not an integer. */
function hullOf(values: ReadonlySet<string>): IntegerRange | undefined {
  let low = LARGEST_INTEGER;
  let high = 0n;
  for (const value of values) {
    const integer = parseInt64(value);
    if (integer === undefined) return undefined;
    if (integer < low) low = integer;
    if (integer > high) high = integer;
  }
  return { low, high };
}

/** Moves the bounds past integers whose spellings are all holes. */
function tighten(integers: Integers): Integers {
  if (integers.holes.size < FEWEST_SPELLINGS) return integers;
  const missing = new Map<bigint, bigint>();
  for (const value of integers.holes) {
    const integer = parseInt64(value) ?? 0n;
    missing.set(integer, (missing.get(integer) ?? 0n) + 1n);
  }
  const isGone = (integer: bigint) =>
    missing.get(integer) === countSpellings({ low: integer, high: integer });
  let { low, high } = integers;
  while (isGone(low)) low++;
  while (isGone(high)) high--;
  const within = [...integers.holes].filter((value) => {
    const integer = parseInt64(value) ?? 0n;
    return integer >= low && integer <= high;
  });
  return { low, high, holes: new Set(within) };
}
