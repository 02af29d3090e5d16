import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { selectionOf } from '../../../../lib/server/http/index.ts';
import { ApiError } from '../../../../lib/server/index.ts';
import { decodeContinue, encodeContinue } from '../../../../lib/server/verbs/continue-token.ts';
import { NAMESPACES, PODS, refusalOf, routeTo } from '../fixtures.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const V = 'meta.k8s.io/v1';

function listOf(query = '', route = routeTo(PODS)) {
  return { route, selection: selectionOf(route, new URLSearchParams(query)) };
}

const everywhere = listOf('', { ...routeTo(PODS), namespace: '' });

describe('A continue token', () => {
  it('A token can be read back', () => {
    const position = fc.record({
      rv: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      last: fc.record({
        namespace: fc.stringMatching(/^[a-z0-9-]{1,63}$/),
        name: fc.stringMatching(/^[^/%\0]{1,70}$/),
      }),
    });
    fc.assert(
      fc.property(position, (one) => {
        expect(decodeContinue(everywhere, encodeContinue(everywhere, one))).toEqual(one);
        expect(encodeContinue(everywhere, one)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it("A token has the form of kube-apiserver's: within a namespace it starts with a name", () => {
    const token = encodeContinue(listOf(), { rv: 7, last: { namespace: 'default', name: 'web-1' } });
    const { of, ...rest } = JSON.parse(Buffer.from(token, 'base64url').toString());
    expect(rest).toEqual({ v: V, rv: 7, start: 'web-1\0' });
    expect(of).toMatch(/^[\w-]{12}$/);
    const known = encode({ v: V, rv: 1, start: 'a' });
    expect(decodeContinue(listOf(), known)).toEqual({ rv: 1, last: { namespace: 'default', name: 'a' } });
  });

  it.each([
    ['another label selector', listOf('labelSelector=app')],
    ['another field selector', listOf('fieldSelector=status.phase=Running')],
    ['another namespace', listOf('', { ...routeTo(PODS), namespace: 'other' })],
    ['all namespaces', everywhere],
    ['another resource', listOf('', routeTo(NAMESPACES))],
  ])('A token of another list is refused: a list of %s', (_, other) => {
    const token = encodeContinue(listOf(), { rv: 7, last: { namespace: 'default', name: 'a' } });
    expect(refusalOf(() => decodeContinue(other, token))).toMatchObject({
      code: 400,
      message:
        'invalid continue token: continue key is not valid: it belongs to a list of another resource, namespace or selector',
    });
  });

  it('A token is accepted for the same selector in another notation', () => {
    const last = { namespace: 'default', name: 'a' };
    const token = encodeContinue(listOf('labelSelector=a%3Db,c'), { rv: 7, last });
    expect(decodeContinue(listOf('labelSelector=+a+%3D+b,+c'), token)).toEqual({ rv: 7, last });
  });

  // The words of the first four are those of kube-apiserver 1.33.2.
  it.each([
    ['garbage', "invalid character '\\u0081' looking for beginning of value"],
    ['%00', 'illegal base64 data at input byte 0'],
    ['e30', 'server does not recognize this encoded version '],
    [
      Buffer.from(`{"v":"${V}","rv":168,"start":"cm-02\\u00`).toString('base64url'),
      "invalid character ' ' in \\u hexadecimal character escape",
    ],
    [encode([1, 7, 'ns/a']), 'it is not a JSON object'],
    [encode({ v: V, rv: '7', start: 'a' }), `incorrect encoded start resourceVersion (version ${V})`],
    [encode({ v: V, rv: 0, start: 'a' }), `incorrect encoded start resourceVersion (version ${V})`],
    [encode({ v: V, rv: 2 ** 53, start: 'a' }), `incorrect encoded start resourceVersion (version ${V})`],
    [encode({ v: V, rv: 7 }), `invalid encoded start key (version ${V})`],
    [encode({ v: V, rv: 7, start: 'a/b' }), `invalid encoded start key (version ${V})`],
    [encode({ v: V, rv: 7, start: 'a%b\0' }), `invalid encoded start key (version ${V})`],
    [encode({ v: V, rv: 7, start: { toString: [] } }), `invalid encoded start key (version ${V})`],
    ['a'.repeat(5_000), 'it is longer than 4096 characters'],
  ])('A token that is %s is refused', (text, why) => {
    const refusal = refusalOf(() => decodeContinue(listOf(), text));
    expect(refusal).toMatchObject({
      code: 400,
      message: `invalid continue token: continue key is not valid: ${why}`,
    });
  });

  it('Any text is refused, or is a valid token', () => {
    const text = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.jsonValue().map(encode),
      fc.record({ v: fc.constant(V), rv: fc.jsonValue(), start: fc.jsonValue() }).map(encode),
    );
    fc.assert(
      fc.property(text, (one) => {
        try {
          expect(decodeContinue(everywhere, one).rv).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
