import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeContinue, encodeContinue, InvalidContinueError } from '../../../lib/store/index.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a continue token', () => {
  it('is read back', () => {
    const token = fc.record({
      rv: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      last: fc.record({
        namespace: fc.stringMatching(/^[a-z0-9-]{0,63}$/),
        name: fc.stringMatching(/^[a-z0-9.-]{1,253}$/),
      }),
    });
    fc.assert(
      fc.property(token, (one) => {
        expect(decodeContinue(encodeContinue(one))).toEqual(one);
        expect(encodeContinue(one)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it.each<[string, string]>([
    ['empty', ''],
    ['no base64url', 'a+b/c='],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no list', encode({ 0: 1, 1: 7, 2: 'ns/a', length: 3 })],
    ['null', encode(null)],
    ['of another format', encode([2, 7, 'ns/a'])],
    ['of a textual resourceVersion', encode([1, '7', 'ns/a'])],
    ['of no resourceVersion', encode([1, null, 'ns/a'])],
    ['of resourceVersion 0', encode([1, 0, 'ns/a'])],
    ['of a negative resourceVersion', encode([1, -7, 'ns/a'])],
    ['of half a resourceVersion', encode([1, 7.5, 'ns/a'])],
    ['of a resourceVersion beyond exactness', encode([1, 2 ** 53, 'ns/a'])],
    ['of an endless resourceVersion', Buffer.from('[1,1e999,"ns/a"]').toString('base64url')],
    ['without a name', encode([1, 7])],
    ['with a name that is no text', encode([1, 7, ['ns/a']])],
    ['with a name without namespace', encode([1, 7, 'a'])],
    ['with an empty name', encode([1, 7, 'ns/'])],
    ['with a name of three parts', encode([1, 7, 'ns/a/b'])],
    ['with a name beyond the alphabet', encode([1, 7, 'ns/~'])],
    ['with a name in capitals', encode([1, 7, 'ns/A'])],
    ['with a line behind the name', encode([1, 7, 'ns/a\n'])],
    ['with more behind', encode([1, 7, 'ns/a', 1])],
    ['far too long', encode([1, 7, `ns/${'a'.repeat(1_000)}`])],
  ])('that is %s is refused', (_, text) => {
    expect(() => decodeContinue(text)).toThrow(InvalidContinueError);
  });

  it('is refused, or means something, whatever the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.jsonValue().map(encode),
      fc.array(fc.jsonValue()).map((all) => encode([1, ...all])),
    );
    fc.assert(
      fc.property(text, (one) => {
        try {
          expect(decodeContinue(one).rv).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidContinueError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is named in its refusal only in part', () => {
    expect(() => decodeContinue('!'.repeat(5_000))).toThrow(/^continue key is not valid: "!{80}"$/);
  });
});
