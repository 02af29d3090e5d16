import { describe, expect, it } from '@jest/globals';
import { endOfString, endOfValue } from '../../../lib/json/index.ts';
import { randomValues } from '../../support/random-json.ts';

describe('a position in a JSON text', () => {
  it('after a string is behind its closing quote, whatever characters it escapes', () => {
    for (const value of [
      '',
      'a',
      '"',
      '\\',
      '\\"',
      '"\\\\',
      '{"a":"]"}',
      '\ud83d\ude00',
      '\u2028',
      '\ud800',
    ]) {
      const text = JSON.stringify(value);
      expect([value, endOfString(`[${text},1]`, 1)]).toEqual([value, 1 + text.length]);
    }
  });

  it('after a value is behind that value, whatever follows', () => {
    for (const value of randomValues(1_000)) {
      const text = JSON.stringify(value);
      for (const [before, after] of [
        ['[', ']'],
        ['[', ',"}"]'],
        ['{"a":', '}'],
        ['{"a":', ',"b":[{}]}'],
      ] as const) {
        expect(endOfValue(before + text + after, before.length)).toBe(before.length + text.length);
      }
    }
  });

  it('stays in a text that breaks off', () => {
    const text = '{"a":["b\\"c",{"d":1}]}';
    for (let length = 1; length < text.length; length += 1) {
      expect(endOfValue(text.slice(0, length), 0)).toBe(length);
    }
  });
});
