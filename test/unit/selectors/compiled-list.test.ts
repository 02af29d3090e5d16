import { describe, expect, it } from '@jest/globals';
import {
  CompiledSelector,
  everything,
  type LabelSets,
  nothing,
  parseSelector,
  type Selector,
  Vocabulary,
} from '../../../lib/selectors/index.ts';
import { randomLabels, randomSelector } from './compiled-cases.ts';
import { Dice } from './dice.ts';

describe('a list of label sets', () => {
  it('everything selects all label sets of a list, and nothing selects none', () => {
    const vocabulary = new Vocabulary();
    const sets = vocabulary.labelSets([{}, new Map([['a', '1']])]);
    expect(select(sets, everything)).toEqual([0, 1]);
    expect(select(sets, nothing)).toEqual([]);
    expect(select(vocabulary.labelSets(), everything)).toEqual([]);
  });

  it('a list may grow, change and shrink between two queries', () => {
    const sets = new Vocabulary().labelSets([{ a: '1' }, { a: '2' }, { b: '1' }]);
    const selector = parseSelector('a in (1,3)');
    expect(select(sets, selector)).toEqual([0]);
    expect(sets.add({ a: '3' })).toBe(3);
    sets.replace(1, { a: '1', b: '1' });
    expect(select(sets, selector)).toEqual([0, 1, 3]);
    sets.remove(0);
    expect([sets.length, select(sets, selector)]).toEqual([3, [0, 1]]);
    sets.remove(2);
    expect([sets.length, select(sets, selector)]).toEqual([2, [0, 1]]);
  });

  it('a list refuses an index that it does not have', () => {
    const sets = new Vocabulary().labelSets([{ a: '1' }]);
    for (const index of [-1, 1, 0.5]) {
      expect(() => sets.at(index)).toThrow(RangeError);
      expect(() => sets.replace(index, {})).toThrow(RangeError);
      expect(() => sets.remove(index)).toThrow(RangeError);
    }
    expect(sets.length).toBe(1);
  });

  it('a caller can match one label set of a list', () => {
    const vocabulary = new Vocabulary();
    const sets = vocabulary.labelSets([{ a: '1' }, { b: '1' }]);
    expect(vocabulary.compile(parseSelector('b')).matches(sets.at(1))).toBe(true);
  });

  it('a list drops values that none of its label sets has any more', () => {
    const vocabulary = new Vocabulary();
    const sets = vocabulary.labelSets([{ a: '0' }, { a: 'kept' }]);
    const kept = vocabulary.compile(parseSelector('a=kept'));
    const found = new Int32Array(2);
    const key = vocabulary.key('a');
    const seen: number[] = [];
    const answers = new Set<string>();
    for (let at = 0; at < 5_000; at++) {
      sets.replace(0, { a: `${at}` });
      answers.add(`${found.subarray(0, kept.select(sets, found))}`);
      seen.push(sets.column(key).seen);
    }
    expect([...answers]).toEqual(['1']);
    expect(Math.max(...seen)).toBeLessThan(2_000);
  });

  it.each([1, 2, 3, 4])('select agrees with matches for each label set (%s)', (seed) => {
    const dice = new Dice(seed);
    for (let round = 0; round < 30; round++) playRound(dice);
  });
});

/** Alternates queries and changes. */
function playRound(dice: Dice): void {
  const labels = Array.from({ length: dice.below(80) }, () => randomLabels(dice));
  const sets = new Vocabulary().labelSets(labels);
  for (let turn = 0; turn < 60; turn++) {
    const selector = randomSelector(dice);
    const expected = [...labels.keys()].filter((at) => selector.matches(labels[at] ?? {}));
    const found = select(sets, selector);
    if (`${found}` !== `${expected}`) {
      expect({ selector, labels, found }).toEqual({ selector, labels, found: expected });
    }
    for (let changes = dice.below(5); changes > 0; changes--) change(dice, labels, sets);
  }
}

function change(dice: Dice, labels: Map<string, string>[], sets: LabelSets): void {
  const given = randomLabels(dice);
  const at = dice.below(labels.length + 1);
  if (at === labels.length) {
    labels.push(given);
    sets.add(given);
  } else if (dice.chance(0.5)) {
    labels[at] = given;
    sets.replace(at, Object.fromEntries(given));
  } else {
    const last = labels.pop();
    if (last !== undefined && at < labels.length) labels[at] = last;
    sets.remove(at);
  }
}

function select(sets: LabelSets, selector: Selector): number[] {
  const found = new Int32Array(sets.length);
  const count = new CompiledSelector(sets.vocabulary, selector).select(sets, found);
  return Array.from(found.subarray(0, count));
}
