import { describe, expect, it } from '@jest/globals';
import { mutantsOf } from '../../mutants/mutants-of.ts';

const inFunction = (body: string) => `async function f(a, b, c) {\n${body}\n}`;
const changesOf = (body: string) =>
  mutantsOf('lib/x.ts', inFunction(body)).flatMap(({ changes }) =>
    changes.map(({ operator, text }) => `${operator}: ${text}`),
  );

describe('the mutants of a file', () => {
  it.each([
    ['a comparison', 'return a < b;', ['negated: a >= b', 'boundary: a <= b']],
    ['an equality', 'return a === b;', ['negated: a !== b']],
    [
      'a conjunction',
      'return a === 1 && b;',
      ['and/or: (a === 1) || (b)', 'negated: a !== 1', 'negated: !(b)'],
    ],
    ['what stands for nothing', 'return a ?? b;', ['default dropped: a']],
    ['what is made when it is missing', 'a ??= b;', ['default dropped: a = b']],
    ['a test', 'return a ? b : c;', ['negated: !(a)']],
    ['a negated test', 'while (!a) b();', ['negated: a']],
    ['an early end', 'if (a) return b;', ['negated: !(a)', 'early end dropped: false']],
    ['an end that has another branch', 'if (a) return b; else c();', ['negated: !(a)']],
    ['a predicate', 'return a.filter((one) => one.is);', ['negated: !(one.is)']],
    ['what maps', 'return a.map((one) => one.is);', []],
    ['each and any', 'return a.every(b);', ['every/some: a.some(b)']],
    ['a bound', 'return Math.min(a, b);', ['min/max: Math.max(a, b)']],
    ['a neighbour', 'return a + 1;', ['off by one: a']],
    ['a sum', 'return a + 2;', []],
    ['what is waited for', 'await a();', ['await dropped: a()']],
  ])('The mutants change %s', (_, body, changes) => {
    expect(changesOf(body)).toEqual(changes);
  });

  it("The mutants omit clauses of a row's condition, and change comparisons", () => {
    expect(changesOf("return [{ missing: 'pk' }, { attribute: 'rv', is: '<', value: a }];")).toEqual([
      "clause dropped: [{ attribute: 'rv', is: '<', value: a }]",
      "clause dropped: [{ missing: 'pk' }]",
      "comparison swapped: { attribute: 'rv', is: '=', value: a }",
    ]);
  });

  it('The mutants swap steps, except steps that need the result of the other', () => {
    const swapped = (body: string) => changesOf(body).filter((change) => change.startsWith('steps'));
    expect(swapped('await a(); const x = await b(); return x;')).toEqual([
      'steps swapped: (x = await b());\nawait a();',
    ]);
    expect(swapped('const x = await b(); await a(x);')).toEqual([]);
    expect(swapped('await a(); if (c) return; await b();')).toEqual([]);
  });

  it('The mutants run concurrent work in sequence', () => {
    const sequences = (body: string) => changesOf(body).filter((change) => change.startsWith('in sequence'));
    expect(sequences('await Promise.all([a, b]);')).toEqual(['in sequence: [await (a), await (b)]']);
    expect(sequences('await mapBounded(a, 4, b);')).toEqual(['in sequence: mapBounded(a, 1, b)']);
    expect(sequences('await Promise.all(a.map(b));')).toHaveLength(1);
  });

  it('The mutants have numbers if a function has several of the same kind', () => {
    const ids = mutantsOf('lib/x.ts', inFunction('a(b > 0); c(b > 0);')).flatMap(({ mutants }) =>
      mutants.map(({ id }) => id),
    );
    expect(ids).toEqual([
      'lib/x.ts f negated: b > 0 → <=',
      'lib/x.ts f boundary: b > 0 → >=',
      'lib/x.ts f negated: b > 0 → <= #2',
      'lib/x.ts f boundary: b > 0 → >= #2',
    ]);
  });

  it('The mutants skip code that runs when a module is loaded', () => {
    expect(mutantsOf('lib/x.ts', 'export const x = a < b ? 1 : 2;')).toEqual([]);
  });
});
