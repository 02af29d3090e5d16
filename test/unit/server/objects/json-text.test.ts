import { describe, expect, it } from '@jest/globals';
import { writtenFields } from '../../../../lib/server/objects/json-text.ts';

function written(text: string) {
  return writtenFields(text, JSON.parse(text));
}

describe('The text of a body', () => {
  it.each([
    '{}',
    '[1,-2,true,null,"a:b","c\\"d:\\\\"]',
    '{"a":{"b":[{"c":"x"},{"c":"y"}]},"d:e":"f","g":"{\\"a\\":1,\\"a\\":2}"}',
    '{"at":"12:30:00.5","e":"1e3","__proto__":{"a":1}}',
    ' { "a" : 1 , "b" : [ ] } ',
  ])('The text has no duplicates if each field occurs once: %s', (text) => {
    expect(written(text)).toBeUndefined();
  });

  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":{"b":1,"b":{"c":1,"c":2}},"a":[]}', ['a.b', 'a.b.c', 'a']],
    ['{"a":[{"b":1},{"b":1,"b":2,"b":3}]}', ['a[1].b']],
    ['{"\\u0061":1,"a":2}', ['a']],
    ['{"a:\\"":1,"a:\\"":2}', ['a:"']],
  ])('The text has duplicate fields: %s', (text, duplicates) => {
    expect(new Set(written(text)?.duplicates)).toEqual(new Set(duplicates));
  });

  it('The text shows how numbers with a point or an exponent were written, for duplicates the last', () => {
    const { literals } = written('{"a":2.0,"b":[1,1e3,-0.5E-1],"c":1.5,"c":2,"d":false}') ?? {};
    expect(Object.fromEntries(literals ?? [])).toEqual({ a: '2.0', 'b[1]': '1e3', 'b[2]': '-0.5E-1' });
  });

  it('The text shows the first position of a field', () => {
    const { positions } = written('{"b":1,"a":2,"b":3}') ?? {};
    expect([...(positions ?? [])]).toEqual([
      ['b', 1],
      ['a', 7],
    ]);
  });
});
