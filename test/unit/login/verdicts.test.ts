import { expect, it } from '@jest/globals';
import { RefusedError } from '../../../lib/login/refused-error.ts';
import { Verdicts } from '../../../lib/login/verdicts.ts';

const verdict = new RefusedError('sts');

it('The cache keeps a thousand verdicts, and evicts the oldest first', () => {
  const verdicts = new Verdicts();
  for (let index = 0; index <= 1_000; index += 1) verdicts.keep(String(index), verdict, 10);
  expect(verdicts.size).toBe(1_000);
  expect(verdicts.find('0', 0)).toBeUndefined();
  expect(verdicts.find('1', 0)).toBe(verdict);
});

it('A verdict that is stored again counts as new', () => {
  const verdicts = new Verdicts();
  for (let index = 0; index < 1_000; index += 1) verdicts.keep(String(index), verdict, 10);
  verdicts.keep('0', verdict, 20);
  verdicts.keep('more', verdict, 10);
  expect(verdicts.find('0', 19)).toBe(verdict);
  expect(verdicts.find('1', 0)).toBeUndefined();
});

it('A verdict is found until it expires', () => {
  const verdicts = new Verdicts();
  verdicts.keep('digest', verdict, 10);
  expect(verdicts.find('digest', 9)).toBe(verdict);
  expect(verdicts.find('digest', 10)).toBeUndefined();
});
