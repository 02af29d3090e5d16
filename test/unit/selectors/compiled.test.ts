import { describe, expect, it } from '@jest/globals';
import {
  everything,
  nothing,
  parseSelector,
  type Selector,
  Vocabulary,
} from '../../../lib/selectors/index.ts';
import { Dice } from './dice.ts';

const KEYS = ['app', 'env', 'tier', 'a/b', 'constructor', 'n'];
const VALUES = ['', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
const NUMBERS = [
  '0',
  '007',
  '12',
  '9223372036854775807',
  '9223372036854775806',
  '-5',
  '+3',
  '1e3',
  '9223372036854775808',
];

describe('a vocabulary', () => {
  it('counts pairs, and gives each its number once', () => {
    const vocabulary = new Vocabulary();
    expect(vocabulary.pair('a', '1')).toBe(1);
    vocabulary.labelSet({ a: '1', b: '1' });
    vocabulary.labelSet(new Map([['b', '1']]));
    expect([vocabulary.size, vocabulary.find('b', '1'), vocabulary.find('b', '2')]).toEqual([2, 2, 0]);
  });
});

describe('a compiled selector', () => {
  it('matches all with everything, and none with nothing', () => {
    const vocabulary = new Vocabulary();
    const sets = [vocabulary.labelSet({}), vocabulary.labelSet({ a: '1' })];
    const found = new Int32Array(sets.length);
    expect([vocabulary.compile(everything).select(sets, found), ...found]).toEqual([2, 0, 1]);
    expect(vocabulary.compile(nothing).select(sets, found)).toBe(0);
  });

  it('knows values that came after it', () => {
    const vocabulary = new Vocabulary();
    const compiled = vocabulary.compile(parseSelector('a in (1,2),b,c!=1'));
    for (let at = 0; at < 500; at++) {
      expect(compiled.matches(vocabulary.labelSet({ a: '2', b: `${at}`, c: `${at + 2}` }))).toBe(true);
      expect(compiled.matches(vocabulary.labelSet({ a: `${at + 3}`, b: '1', c: '2' }))).toBe(false);
    }
  });

  it('takes label sets of any size', () => {
    const vocabulary = new Vocabulary();
    const labels = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key-${at}`, `${at}`]));
    const set = vocabulary.labelSet(labels);
    expect(vocabulary.compile(parseSelector('key-999=999,key-5>4,!key-1000')).matches(set)).toBe(true);
    expect(vocabulary.compile(parseSelector('key-999=998')).matches(set)).toBe(false);
  });

  it.each([1, 2, 3, 4])('gives what its selector gives, for one set and for many (%s)', (seed) => {
    const dice = new Dice(seed);
    let cases = 0;
    while (cases < 60_000) cases += playRound(dice);
  });
});

function playRound(dice: Dice): number {
  const vocabulary = new Vocabulary();
  const selectors = Array.from({ length: 20 }, () => randomSelector(dice));
  const compiled = selectors.map((selector) => vocabulary.compile(selector));
  const all = vocabulary.compileAll(selectors);
  const found = new Int32Array(selectors.length);
  const length = 200;
  for (let turn = 0; turn < length; turn++) {
    const labels = randomLabels(dice);
    const set = vocabulary.labelSet(dice.chance(0.5) ? Object.fromEntries(labels) : labels);
    const expected = selectors.flatMap((selector, at) => (selector.matches(labels) ? [at] : []));
    const one = compiled.flatMap((selector, at) => (selector.matches(set) ? [at] : []));
    const many = Array.from(found.subarray(0, all.select(set, found)));
    if (`${one}` !== `${expected}`) expect({ labels, one }).toEqual({ labels, one: expected });
    if (`${many}` !== `${expected}`) expect({ labels, many }).toEqual({ labels, many: expected });
  }
  return length * selectors.length;
}

function randomLabels(dice: Dice): Map<string, string> {
  const count = dice.below(7);
  return new Map(
    Array.from({ length: count }, () => {
      const key = dice.pick([...KEYS, '__proto__', 'other']);
      return [key, dice.pick(key === 'n' ? NUMBERS : [...VALUES, `v${dice.below(100)}`])] as const;
    }),
  );
}

function randomSelector(dice: Dice): Selector {
  const terms = Array.from({ length: dice.below(6) }, () => {
    const key = dice.pick(KEYS);
    const list = Array.from({ length: 1 + dice.below(20) }, () => dice.pick(VALUES)).join();
    const bound = dice.pick(NUMBERS.slice(0, 5));
    return dice.pick([
      `${key}=${dice.pick(VALUES)}`,
      `${key}!=${dice.pick(VALUES)}`,
      `${key} in (${list})`,
      `${key} notin (${list})`,
      key,
      `!${key}`,
      `n>${bound}`,
      `n<${bound}`,
    ]);
  });
  return dice.chance(0.02) ? nothing : parseSelector(terms.join());
}
