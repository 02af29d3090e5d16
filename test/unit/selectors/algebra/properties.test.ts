import { describe, expect, it } from '@jest/globals';
import {
  canOverlap,
  equal,
  implies,
  intersect,
  nothing,
  parseSelector,
  type Selector,
  simplify,
} from '../../../../lib/selectors/index.ts';
import {
  ASKS,
  type Ask,
  common,
  isNowhere,
  isSame,
  type Part,
  partOfAll,
  partOfSelector,
  write,
} from './brute-force.ts';

/** The number of cases. `WINNOW_CASES` multiplies the number of `npm test`. */
const CASES = 60_000 * Number(process.env.WINNOW_CASES ?? 1);

/** A selector, and the part of the world that it selects by brute force. */
interface Example {
  readonly text: string;
  readonly selector: Selector;
  readonly part: Part;
}

describe('the set algebra, compared with brute force over every label set of a small world', () => {
  it('implies, canOverlap, equal and intersect agree with brute force', () => {
    const random = randomFrom(1);
    const pool = Array.from({ length: 4000 }, () => draw(random, 4));
    const seen = { implied: 0, apart: 0, equal: 0 };
    for (let count = 0; count < CASES; count++) {
      const a = pick(random, pool);
      const b = pick(random, pool);
      const both = common(a.part, b.part);
      const expected = {
        implies: isSame(both, a.part),
        canOverlap: !isNowhere(both),
        equal: isSame(a.part, b.part),
        intersect: true,
      };
      // `equal` and `intersect` run in fewer cases, because they are built from the others or from parts of a parser.
      const actual = {
        implies: implies(a.selector, b.selector),
        canOverlap: canOverlap(a.selector, b.selector),
        equal: count % 4 > 0 ? expected.equal : equal(a.selector, b.selector),
        intersect: count % 10 > 0 || isSame(partOfSelector(intersect(a.selector, b.selector)), both),
      };
      if (!isSameAnswer(actual, expected)) {
        expect([a.text, b.text, actual]).toEqual([a.text, b.text, expected]);
      }
      if (expected.implies) seen.implied++;
      if (!expected.canOverlap) seen.apart++;
      if (expected.equal) seen.equal++;
    }
    for (const often of Object.values(seen)) expect(often).toBeGreaterThan(CASES / 100);
  });

  it('simplify keeps the set, leaves no redundant requirement, and gives equal sets one text', () => {
    const random = randomFrom(2);
    const texts = new Map<string, string>();
    const seen = { contradictions: 0, shorter: 0 };
    for (let count = 0; count < CASES / 10; count++) {
      const { text, selector, part } = draw(random, 6);
      const { selector: simple, contradiction } = simplify(selector);
      const problem = isNowhere(part)
        ? problemOfContradiction(selector, simple, contradiction?.requirements ?? [])
        : problemOfSimple(simple, part);
      if (problem !== undefined) expect([text, simple.toString(), problem]).toBe('simplified');
      const name = part.join();
      const known = texts.get(name) ?? simple.toString();
      if (known !== simple.toString()) expect([text, simple.toString()]).toEqual([text, known]);
      texts.set(name, known);
      if (contradiction) seen.contradictions++;
      if (simple.requirements.length < selector.requirements.length) seen.shorter++;
    }
    for (const often of Object.values(seen)) expect(often).toBeGreaterThan(CASES / 200);
  });
});

function problemOfSimple(simple: Selector, part: Part): string | undefined {
  if (!isSame(partOfSelector(simple), part)) return 'selects another set';
  if (partOfSelector(parseSelector(simple.toString())).join() !== part.join()) return 'reads as another set';
  const { requirements } = simple;
  const isIdle = (ask: Ask) => isSame(partOfAll(requirements.filter((other) => other !== ask)), part);
  return requirements.some(isIdle) ? 'asks too much' : undefined;
}

function problemOfContradiction(
  selector: Selector,
  simple: Selector,
  requirements: readonly Ask[],
): string | undefined {
  if (simple !== nothing) return 'is not nothing';
  if (!requirements.every((ask) => selector.requirements.some((other) => other === ask))) return 'is made up';
  if (!isNowhere(partOfAll(requirements))) return 'is no contradiction';
  const isIdle = (ask: Ask) => isNowhere(partOfAll(requirements.filter((other) => other !== ask)));
  return requirements.some(isIdle) ? 'blames too many' : undefined;
}

/** A random selector of 0 to `most` requirements. Large value sets are rare, because they take long. */
function draw(random: () => number, most: number): Example {
  const asks = Array.from({ length: Math.floor(random() * (most + 1)) }, () => {
    const ask = pick(random, ASKS);
    return ask.values.length > 8 && random() < 0.95 ? pick(random, ASKS) : ask;
  });
  const text = asks.map(write).join();
  return { text, selector: parseSelector(text), part: partOfAll(asks) };
}

function pick<T>(random: () => number, list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('an empty list');
  return item;
}

function isSameAnswer(
  one: Readonly<Record<string, boolean>>,
  other: Readonly<Record<string, boolean>>,
): boolean {
  return Object.keys(one).every((key) => one[key] === other[key]);
}

/** Mulberry32: the same cases on every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
