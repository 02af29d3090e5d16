import { describe, expect, it } from '@jest/globals';
import { everything, nothing, parseSelector, Vocabulary } from '../../../lib/selectors/index.ts';
import { randomLabels, randomSelector } from './compiled-cases.ts';
import { Dice } from './dice.ts';

describe('a vocabulary', () => {
  it('a vocabulary gives each pair one number and counts the pairs', () => {
    const vocabulary = new Vocabulary();
    expect(vocabulary.pair('a', '1')).toBe(1);
    vocabulary.labelSet({ a: '1', b: '1' });
    vocabulary.labelSet(new Map([['b', '1']]));
    expect([vocabulary.size, vocabulary.find('b', '1'), vocabulary.find('b', '2')]).toEqual([2, 2, 0]);
  });
});

describe('a compiled selector', () => {
  it('a compiled everything matches all labels, and a compiled nothing matches none', () => {
    const vocabulary = new Vocabulary();
    for (const labels of [vocabulary.labelSet({}), vocabulary.labelSet({ a: '1' })]) {
      expect(vocabulary.compile(everything).matches(labels)).toBe(true);
      expect(vocabulary.compile(nothing).matches(labels)).toBe(false);
      const found = new Int32Array(3);
      expect(vocabulary.compileAll([nothing, everything, nothing]).select(labels, found)).toBe(1);
      expect(found[0]).toBe(1);
    }
  });

  it('a compiled selector matches values that were added after it', () => {
    const vocabulary = new Vocabulary();
    const compiled = vocabulary.compile(parseSelector('a in (1,2),b,c!=1'));
    for (let at = 0; at < 500; at++) {
      expect(compiled.matches(vocabulary.labelSet({ a: '2', b: `${at}`, c: `${at + 2}` }))).toBe(true);
      expect(compiled.matches(vocabulary.labelSet({ a: `${at + 3}`, b: '1', c: '2' }))).toBe(false);
    }
  });

  it('a compiled selector matches label sets of any size', () => {
    const vocabulary = new Vocabulary();
    const labels = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key-${at}`, `${at}`]));
    const set = vocabulary.labelSet(labels);
    expect(vocabulary.compile(parseSelector('key-999=999,key-5>4,!key-1000')).matches(set)).toBe(true);
    expect(vocabulary.compile(parseSelector('key-999=998')).matches(set)).toBe(false);
  });

  it('a compiled selector refuses labels of another vocabulary, and too small a result array', () => {
    const vocabulary = new Vocabulary();
    const selector = parseSelector('a');
    const one = vocabulary.compile(selector);
    const many = vocabulary.compileAll([selector, selector]);
    const room = new Int32Array(2);
    const others = new Vocabulary();
    expect(() => one.matches(others.labelSet({ a: '1' }))).toThrow(TypeError);
    expect(() => one.select(others.labelSets(), room)).toThrow(TypeError);
    expect(() => many.select(others.labelSet({ a: '1' }), room)).toThrow(TypeError);
    expect(() => one.select(vocabulary.labelSets([{}, {}, {}]), room)).toThrow(RangeError);
    expect(() => many.select(vocabulary.labelSet({}), room.subarray(1))).toThrow(RangeError);
  });

  it.each([1, 2, 3, 4])('a compiled selector agrees with its selector, alone and in a group (%s)', (seed) => {
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
