import { expect, it } from '@jest/globals';
import type { Mutant } from '../../mutants/mutant.ts';
import { type Attempt, Odds } from '../../mutants/odds.ts';

const mutantIn = (file: string, within = 'f'): Mutant => {
  return { id: `${file} ${within}`, file, within, operator: 'negated', change: '', line: 1 };
};
const attempt = (name: string, cost: number, reaches: number, turn = 1): Attempt => {
  return { name, cost, reaches, turn };
};
const close = attempt('close', 100, 20);
const cheap = attempt('cheap', 20, 1_000);
const again = attempt('cheap', 20, 1_000, 2);

it('Tests of the mutated code run before cheap tests that cover everything', () => {
  const odds = new Odds();
  expect(odds.order(mutantIn('a.ts'), [again, cheap, close])).toEqual([close, cheap, again]);
  expect(odds.order(mutantIn('a.ts'), [cheap, attempt('dear', 10_000, 20)])[0]).toBe(cheap);
});

it('Tests that found mutants of the same function run first, and then those that found mutants of the file', () => {
  const odds = new Odds();
  odds.note(mutantIn('a.ts', 'f'), cheap, true);
  odds.note(mutantIn('a.ts', 'f'), close, false);
  const first = (file: string, within: string) => odds.order(mutantIn(file, within), [close, cheap])[0];
  expect([first('a.ts', 'f'), first('a.ts', 'g')]).toEqual([cheap, cheap]);
  odds.note(mutantIn('a.ts', 'g'), cheap, false);
  odds.note(mutantIn('a.ts', 'g'), close, true);
  expect([first('a.ts', 'f'), first('b.ts', 'f')]).toEqual([cheap, close]);
});
