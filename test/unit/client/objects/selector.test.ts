import { describe, expect, it } from '@jest/globals';
import { absent, exists, type LabelSelector, not } from '../../../../lib/client/objects/index.ts';
import { fieldSelectorText, labelSelectorText } from '../../../../lib/client/objects/selector.ts';
import { parseFieldSelector, parseSelector } from '../../../../lib/selectors/index.ts';

describe('A selector as an object', () => {
  it.each<[LabelSelector, string]>([
    [{}, ''],
    ['a=b,!c', 'a=b,!c'],
    [{ site: 'north' }, 'site=north'],
    [{ site: '' }, 'site='],
    [{ site: ['north', 'south'] }, 'site in (north,south)'],
    [{ canary: absent, 'a.b/c': exists }, '!canary,a.b/c'],
    [{ tier: not('web', 'db') }, 'tier notin (web,db)'],
  ])('The selector %j is the text %j', (selector, text) => {
    expect(labelSelectorText(selector)).toBe(text);
    expect(() => parseSelector(text)).not.toThrow();
  });

  it.each<[LabelSelector, string]>([
    [{ site: [] }, 'has no values'],
    [{ site: 'a,b' }, '"a,b" is not a value'],
    [{ site: ['a)', 'b'] }, '"a)" is not a value'],
    [{ 'site in (a)': 'b' }, 'is not a label key'],
    [{ '!site': exists }, 'is not a label key'],
  ])('The selector %j is refused, because its text would mean something else', (selector, why) => {
    expect(() => labelSelectorText(selector)).toThrow(why);
  });

  it('The value of a field keeps every character', () => {
    const text = fieldSelectorText({ 'spec.a': 'x,y=z\\', 'spec.b': 5, 'spec.c': true });
    expect(text).toBe('spec.a=x\\,y\\=z\\\\,spec.b=5,spec.c=true');
    const [first] = parseFieldSelector(text).requirements ?? [];
    expect(first).toMatchObject({ value: 'x,y=z\\' });
  });

  it('A field without a value is refused, because the selector would select more', () => {
    const fields = { 'metadata.name': undefined };
    expect(() => fieldSelectorText(fields)).toThrow('the field "metadata.name" has no value');
  });
});
