import { expect, test } from '@jest/globals';
import { TextSearch } from '../../../../lib/cel/functions/text-search.ts';
import { Dice } from '../../../integration/service/realistic/dice.ts';

test('a long text is found where JavaScript finds it', () => {
  const dice = new Dice(1);
  for (let left = 300; left > 0; left -= 1) {
    const letters = (count: number) =>
      Array.from({ length: count }, () => (dice.chance(0.9) ? 'a' : 'b')).join('');
    const unit = letters(dice.between(1, 4));
    const part = unit.repeat(100).slice(0, dice.between(60, 130));
    const text = [letters(9), part, unit, part, part, letters(9)].slice(0, dice.between(1, 6)).join('');
    const from = dice.between(0, text.length);
    const search = new TextSearch(part);
    expect(search.first(text, from)).toBe(text.indexOf(part, from));
    expect(search.last(text, from)).toBe(text.lastIndexOf(part, from));
    expect(search.split(text)).toEqual(text.split(part));
  }
});

test('a search for a long text with a period takes linear time', () => {
  const part = `${'a'.repeat(400_000)}b`;
  const search = new TextSearch(part);
  const text = 'a'.repeat(1_000_000);
  expect(search.first(text, 0)).toBe(-1);
  expect(search.last(text, text.length)).toBe(-1);
  expect(search.split(text)).toEqual([text]);
});
