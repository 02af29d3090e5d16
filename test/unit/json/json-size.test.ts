import { describe, expect, it } from '@jest/globals';
import { countValues, jsonSizeOf, refuseManyValues } from '../../../lib/json/json-size.ts';
import { TooLargeError } from '../../../lib/json/too-large-error.ts';

describe('The estimated size of JSON', () => {
  it.each([
    ['nothing', null, 4 + 8],
    ['a truth', true, 4 + 8],
    ['a number', 12, 2 + 24],
    ['a text', 'abc', 5 + 48],
    ['a text beyond Latin-1', '€€', 4 * 2 + 48],
    ['a text within Latin-1', 'üü', 4 + 48],
    ['an object', {}, 2 + 64],
    ['an array', [1], 3 + 56 + 24],
    ['a new key', { a: null }, 10 + 64 + 100 + 8],
    ['a key that came before', [{ a: null }, { a: null }], 23 + 56 + 2 * 64 + 100 + 8 + 2 * 8],
    ['a number as a key', { 1: null }, 10 + 64 + 160 + 8],
    ['the same again', [{ 1: null }, { 1: null }], 23 + 56 + 2 * 64 + 2 * 160 + 2 * 8],
    ['a key with a number in it', { a1: null }, 11 + 64 + 100 + 8],
  ])('The estimate adds up each value and the text: %s', (_, value, heap) => {
    expect(jsonSizeOf(value).heap).toBe(heap);
  });
});

describe('The count of values', () => {
  it.each([
    [null, 1],
    ['text', 1],
    [[], 1],
    [{ a: [1, { b: null }] }, 5],
  ])('The values of %j are counted, including the value itself', (value, count) => {
    expect(countValues(value)).toBe(count);
    expect(jsonSizeOf(value).values).toBe(count);
  });

  it('Values are not counted beyond the limit that matters', () => {
    const wide = { deep: Array(1_000).fill(0), seen: Array(100).fill(0) };
    expect(countValues(wide, 10)).toBeGreaterThan(10);
    expect(countValues(wide, 10)).toBeLessThan(110);
    expect(countValues(wide, 1_102)).toBe(1_103);
    expect(countValues(wide, 1_103)).toBe(1_103);
    let deep: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(countValues(deep as never)).toBe(100_001);
  });
});

describe('The limit of values', () => {
  it('A value with more values than the limit is refused, and one at the limit is accepted', () => {
    refuseManyValues('it', [1, 2], 3);
    expect(() => refuseManyValues('it', [1, 2], 2)).toThrow(TooLargeError);
  });
});
