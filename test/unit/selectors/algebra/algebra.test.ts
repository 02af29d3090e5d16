import { describe, expect, it } from '@jest/globals';
import {
  canOverlap,
  equal,
  everything,
  fromNodeSelector,
  implies,
  intersect,
  nothing,
  parseSelector,
  simplify,
} from '../../../../lib/selectors/index.ts';
import { spellingsOf } from './brute-force.ts';

const SIXES = spellingsOf('6');
const ALL_BUT_ONE_SIX = SIXES.slice(1).join();

const SIMPLIFIED = [
  ['', ''],
  ['a,b', 'a,b'],
  ['b==x,a', 'a,b=x'],
  ['a in (x,y),a=x', 'a=x'],
  ['a in (x,y),a!=x', 'a=y'],
  ['a in (x,y,z),a in (y,z,w)', 'a in (y,z)'],
  ['a!=b,!a', '!a'],
  ['a,a=x', 'a=x'],
  ['a,a!=x', 'a,a!=x'],
  ['a!=x,a!=y,a notin (x,z)', 'a notin (x,y,z)'],
  ['a in ()', 'a='],
  ['a>5,a>7,a>07', 'a>7'],
  ['a>05', 'a>5'],
  ['a,a>5,a!=x', 'a>5'],
  ['a>5,a<9,a!=5,a!=7,a!=07', 'a>5,a<9,a notin (07,7)'],
  ['a>5,a in (1,6,007,x)', 'a in (007,6)'],
  ['a<1', 'a<1'],
  ['a>9223372036854775806', 'a>9223372036854775806'],
  ['x>5,x<7,x!=6', 'x>5,x<7,x!=6'],
  [`x>5,x<7,x notin (${ALL_BUT_ONE_SIX})`, 'x=6'],
  [`x>5,x notin (${SIXES})`, 'x>6'],
  [`x<7,x notin (${SIXES})`, 'x<6'],
  [`x in (${SIXES})`, 'x>5,x<7'],
  [`x in (${ALL_BUT_ONE_SIX})`, 'x>5,x<7,x!=6'],
] as const;

const CONTRADICTIONS = [
  ['a=1,a=2', 'a', ['a=1', 'a=2'], 'no label "a" meets a=1 and a=2 at once'],
  ['b,c!=x,a in (1,2),d,a in (3,4),a!=5', 'a', ['a in (1,2)', 'a in (3,4)'], undefined],
  ['a,!a', 'a', ['a', '!a'], undefined],
  ['!a,a>5', 'a', ['!a', 'a>5'], undefined],
  ['a=x,a>5', 'a', ['a=x', 'a>5'], undefined],
  ['a in (x,y),a!=x,a,a!=y', 'a', ['a in (x,y)', 'a!=x', 'a!=y'], undefined],
  ['x>5,x<6', 'x', ['x>5', 'x<6'], undefined],
  ['x>3,x>5,x<6,x<9', 'x', ['x>5', 'x<6'], undefined],
  ['x<0', 'x', ['x<0'], 'no label value meets x<0'],
  ['x>9223372036854775807,x=1', 'x', ['x>9223372036854775807'], undefined],
  [
    `x>5,x!=6,x notin (${ALL_BUT_ONE_SIX}),x<7`,
    'x',
    ['x>5', 'x!=6', `x notin (${SIXES.slice(1).sort()})`, 'x<7'],
    undefined,
  ],
] as const;

/** Two selectors, and whether the first implies the second, the second implies the first, and both can match. */
const RELATIONS = [
  ['a=1', 'a', true, false, true],
  ['a=1,b=2', 'a=1', true, false, true],
  ['a=1', 'b=1', false, false, true],
  ['a=1', 'a=2', false, false, false],
  ['!a', 'a!=x', true, false, true],
  ['a', '!a', false, false, false],
  ['a in (1,2)', 'a in (1,2,3)', true, false, true],
  ['a notin (1,2,3)', 'a notin (1,2)', true, false, true],
  ['a>5', 'a>4', true, false, true],
  ['a>5', 'a', true, false, true],
  ['a>5', 'a!=x', true, false, true],
  ['a>5', 'a!=05', true, false, true],
  ['a>5', 'a!=06', false, false, true],
  ['a=06', 'a>5', true, false, true],
  ['x>5,x<7', 'x in (6)', false, true, true],
  ['x>5,x<7', `x in (${SIXES})`, true, true, true],
  ['x>5,x<7,x!=6', 'x=06', false, true, true],
  ['x>5', 'x<6', false, false, false],
  ['a=1,a=2', 'b', true, false, false],
  ['a=1,a=2', 'x<0', true, true, false],
  ['', 'a', false, true, true],
  ['', '', true, true, true],
] as const;

describe('simplify', () => {
  it.each(SIMPLIFIED)('simplify turns %j into %j', (text, expected) => {
    const { selector, contradiction } = simplify(parseSelector(text));
    expect(selector.toString()).toBe(expected);
    expect(contradiction).toBeUndefined();
    expect(simplify(selector).selector).toBe(selector);
  });

  it.each(CONTRADICTIONS)('simplify reports the contradiction in %j', (text, key, requirements, reason) => {
    const { selector, contradiction } = simplify(parseSelector(text));
    expect(selector).toBe(nothing);
    expect(contradiction?.key).toBe(key);
    expect(contradiction?.requirements.map(String)).toEqual(requirements);
    expect(contradiction?.reason).toContain(reason ?? ' meets ');
  });

  it('simplify returns everything and nothing unchanged', () => {
    expect(simplify(everything)).toEqual({ selector: everything });
    expect(simplify(nothing)).toEqual({ selector: nothing });
    expect(simplify(nothing).selector).toBe(nothing);
  });
});

describe('the relations of two selectors', () => {
  it.each(RELATIONS)('implies, equal and canOverlap relate %j to %j', (left, right, forth, back, overlap) => {
    const [a, b] = [parseSelector(left), parseSelector(right)];
    expect([implies(a, b), implies(b, a)]).toEqual([forth, back]);
    expect([canOverlap(a, b), canOverlap(b, a)]).toEqual([overlap, overlap]);
    expect([equal(a, b), equal(b, a)]).toEqual([forth && back, forth && back]);
  });

  it('implies, equal and canOverlap handle everything and nothing', () => {
    const a = parseSelector('a');
    const cannot = parseSelector('a=1,a=2');
    expect([
      implies(a, everything),
      implies(everything, a),
      implies(nothing, a),
      implies(a, nothing),
    ]).toEqual([true, false, true, false]);
    expect([equal(nothing, cannot), equal(nothing, everything), implies(cannot, nothing)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([canOverlap(nothing, everything), canOverlap(everything, everything)]).toEqual([false, true]);
  });

  it('implies works for the terms of node selectors', () => {
    const { terms } = fromNodeSelector({
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'cpus', operator: 'Gt', values: ['7'] }] }],
    });
    expect(terms.map(({ labels }) => implies(labels, parseSelector('cpus>4')))).toEqual([true]);
  });
});

describe('intersect', () => {
  it('the intersection has the requirements of both selectors', () => {
    const both = intersect(parseSelector('b=1,a'), parseSelector('a!=x'));
    expect(both.toString()).toBe('a,a!=x,b=1');
    expect(both.matches({ a: 'y', b: '1' })).toBe(true);
    expect(both.matches({ a: 'x', b: '1' })).toBe(false);
  });

  it('the intersection with everything is the other selector, and with nothing is nothing', () => {
    const a = parseSelector('a');
    expect([intersect(a, everything), intersect(everything, a)]).toEqual([a, a]);
    expect(intersect(everything, everything)).toBe(everything);
    expect(intersect(a, nothing)).toBe(nothing);
    expect(intersect(nothing, everything)).toBe(nothing);
  });
});

describe('A hostile selector in the algebra', () => {
  const MANY = Array.from({ length: 20_000 }, (_, index) => `${index}`);
  // Each case would exceed the time limit in quadratic time.
  const TEXTS = [
    ['one long list', `a in (${MANY})`],
    ['many values to leave out', MANY.map((value) => `a!=${value}`).join()],
    ['many bounds and a list', `a in (${MANY}),${MANY.map((value) => `a>${value}`).join()}`],
    ['many labels', MANY.map((value) => `a${value}>${value}`).join()],
    ['a list emptied one by one', `a in (${MANY}),${MANY.map((value) => `a!=${value}`).join()}`],
  ] as const;

  it.each(TEXTS)('a selector with %s is simplified and compared in time', (_title, text) => {
    const selector = parseSelector(text);
    const simple = simplify(selector);
    expect(equal(simple.selector, selector)).toBe(true);
    expect(canOverlap(selector, selector)).toBe(simple.contradiction === undefined);
  });
});
