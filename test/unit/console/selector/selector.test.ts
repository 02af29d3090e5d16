import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  complete,
  completionAt,
  judge,
  pieces,
  withoutKey,
  withRequirement,
} from '../../../../console/selector/index.ts';

describe('The pieces of a selector', () => {
  it('All pieces together are the text, also of a wrong one', () => {
    const texts = fc.array(
      fc.constantFrom('tier', ' ', '=', '!=', 'in', '(', ')', ',', '!', 'é', '>', 'notin', '%'),
    );
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        expect(
          pieces(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('A word is a key, an operator or a value by its place', () => {
    const kinds = pieces('!in,in in (in,notin),notin!=in').map(({ kind, text }) => `${kind}:${text}`);
    expect(kinds.filter((one) => !one.startsWith('s'))).toEqual([
      'operator:!',
      'key:in',
      'key:in',
      'operator:in',
      'value:in',
      'value:notin',
      'key:notin',
      'operator:!=',
      'value:in',
    ]);
  });
});

describe('The verdict on a selector', () => {
  it.each([
    ['tier=frontend,environment === qa', '='],
    ['tier in frontend', 'frontend'],
    ['-tier=a', '-tier'],
    ['tier=a b', 'b'],
    ['tier in (a', 'a'],
    ['tier=a,', ','],
  ])('Of "%s" the part "%s" is wrong', (text, wrong) => {
    const verdict = judge(text);
    expect('message' in verdict && text.slice(verdict.from, verdict.to)).toBe(wrong);
  });

  it('A right selector has no error', () => {
    expect(judge('tier in (a,b),!c')).toHaveProperty('selector');
  });
});

describe('A completion', () => {
  it.each([
    ['|', 'key', '', ''],
    ['ti|', 'key', 'ti', ''],
    ['tier|=a', 'key', 'tier', ''],
    ['tier=|', 'value', '', 'tier'],
    ['tier=fr|', 'value', 'fr', 'tier'],
    ['a=b,tier in (x, f|', 'value', 'f', 'tier'],
    ['tier |', 'operator', '', 'tier'],
    ['tier no|', 'operator', 'no', 'tier'],
    ['tier in (a,b),|', 'key', '', ''],
    ['!|', 'key', '', ''],
  ])('At "%s" a %s is completed', (marked, place, prefix, key) => {
    const cursor = marked.indexOf('|');
    expect(completionAt(marked.replace('|', ''), cursor)).toMatchObject({ place, prefix, key });
  });

  it('A choice replaces the whole word at the cursor', () => {
    const text = 'tier=frontend,a=b';
    expect(complete(text, completionAt(text, 6), 'backend')).toEqual({
      text: 'tier=backend,a=b',
      cursor: 12,
    });
  });

  it('The other requirements narrow the choices', () => {
    const text = 'a=b,tier in (x';
    expect(completionAt(text, text.length).others).toBe('a=b');
  });
});

describe('A change by a click', () => {
  it.each([
    ['', { key: 'a', value: 'x', wanted: true }, 'a=x'],
    ['a=x', { key: 'a', value: 'y', wanted: true }, 'a in (x,y)'],
    ['a in (x,y),b', { key: 'a', value: 'y', wanted: true }, 'a=x,b'],
    ['a=x', { key: 'a', value: 'x', wanted: true }, ''],
    ['a=x', { key: 'a', value: 'y', wanted: false }, 'a!=y'],
    ['a!=y', { key: 'a', value: 'z', wanted: false }, 'a notin (y,z)'],
    ['a!=y,a', { key: 'a', value: 'y', wanted: true }, 'a,a=y'],
    ['a=x,b=y', { key: 'a', value: null, wanted: true }, '!a,b=y'],
    ['a=x', { key: 'a', value: null, wanted: false }, 'a'],
    ['wrong(', { key: 'a', value: 'x', wanted: true }, 'wrong('],
  ])('"%s" becomes another selector', (text, change, result) => {
    expect(withRequirement(text, change)).toBe(result);
  });

  it('A key can be removed', () => {
    expect(withoutKey('a=x,b,a!=y', 'a')).toBe('b');
  });
});
