import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonSyntaxFault } from '../../../../lib/kubernetes/encodings/json-syntax.ts';

const faultOf = (text: string) => jsonSyntaxFault(Buffer.from(text));

describe('jsonSyntaxFault', () => {
  // The messages of json.Unmarshal in Go 1.24.
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['[1,', 'unexpected end of JSON input'],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
    ['{"a":1} x', "invalid character 'x' after top-level value"],
    ['{} {}', "invalid character '{' after top-level value"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":NaN}', "invalid character 'N' looking for beginning of value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00"', "invalid character '\"' in \\u hexadecimal character escape"],
    ['-', "invalid character ' ' in numeric literal"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['\u00ef\u00bb\u00bf{}', "invalid character 'Ã' looking for beginning of value"],
    ['\x1f', "invalid character '\\x1f' looking for beginning of value"],
    ['\x07', "invalid character '\\a' looking for beginning of value"],
  ])('the JSON text %j has the fault: %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('jsonSyntaxFault finds a fault in a text exactly if JSON.parse refuses it', () => {
    const nearly = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '{', '"', '\\', ',', '1', 'e', ':', ']'),
    );
    const broken = nearly.map(([text, at, by]) => {
      const place = at % (text.length + 1);
      return `${text.slice(0, place)}${by}${text.slice(place + 1)}`;
    });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        expect(faultOf(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
