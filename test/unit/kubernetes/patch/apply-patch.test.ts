import { describe, expect, it } from '@jest/globals';
import {
  applyPatch,
  PatchSyntaxError,
  UnknownPatchError,
  UnsupportedPatchError,
} from '../../../../lib/kubernetes/patch/index.ts';
import { caught, POD, patched, WIDGET } from './patched.ts';

const APPLY = 'application/apply-patch+yaml';
const STRATEGIC = 'application/strategic-merge-patch+json';
const ALL = ['application/json-patch+json', 'application/merge-patch+json', STRATEGIC];
/** The content types that the error message lists. It includes apply, which applyPatch itself does not handle. */
const ANY_KIND = ['application/json-patch+json', 'application/merge-patch+json', APPLY];

describe('applyPatch', () => {
  it('applyPatch applies a merge patch by RFC 7386', () => {
    const target = { metadata: { labels: { a: '1', b: '2' } }, list: [{ name: 'x' }] };
    const patch = { metadata: { labels: { a: null, constructor: 'c' } }, list: [{ name: 'y' }] };
    expect(patched({ contentType: 'application/merge-patch+json', patch, target, type: WIDGET })).toEqual({
      metadata: { labels: { b: '2', constructor: 'c' } },
      list: [{ name: 'y' }],
    });
  });

  it('a merge patch treats keys like __proto__ as plain keys', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":null}}');
    const target = JSON.parse('{"a":{"__proto__":1,"b":2}}');
    const result = patched({ contentType: 'application/merge-patch+json', patch, target });
    expect(JSON.stringify(result)).toBe('{"a":{"b":2},"__proto__":{"polluted":true}}');
    expect('polluted' in {}).toBe(false);
  });

  it('applyPatch ignores the case and the parameters of the content type', () => {
    const contentType = 'Application/Merge-Patch+JSON; charset=utf-8';
    expect(patched({ contentType, patch: { a: 1 }, target: {} })).toEqual({ a: 1 });
  });

  it.each(ALL.slice(1))('applyPatch refuses a patch of %s that is not an object', (contentType) => {
    for (const patch of [[], 'x', 1]) {
      expect(caught(() => patched({ contentType, patch, target: {} }))).toBeInstanceOf(PatchSyntaxError);
    }
  });

  it('null is an empty strategic merge patch, but an invalid merge patch', () => {
    const target = { a: 1 };
    expect(patched({ contentType: STRATEGIC, patch: null, target })).toEqual(target);
    const error = caught(() => patched({ contentType: 'application/merge-patch+json', patch: null, target }));
    expect(error).toHaveProperty('message', 'Invalid JSON Patch');
  });

  it.each(ALL)('applyPatch refuses bytes that are not JSON: %s', (contentType) => {
    for (const patch of ['', '{', '{"a":1}}'].map((text) => new TextEncoder().encode(text))) {
      expect(
        caught(() => applyPatch({ contentType, patch, target: {}, type: POD, message: undefined })),
      ).toBeInstanceOf(PatchSyntaxError);
    }
    const invalid = new Uint8Array([0x22, 0xff, 0x22]);
    expect(
      caught(() => applyPatch({ contentType, patch: invalid, target: {}, type: POD, message: undefined })),
    ).toBeInstanceOf(PatchSyntaxError);
  });

  it.each(ALL)('applyPatch refuses a patch that nests too deep: %s', (contentType) => {
    const patch = new TextEncoder().encode('['.repeat(100_000) + ']'.repeat(100_000));
    expect(
      caught(() => applyPatch({ contentType, patch, target: {}, type: POD, message: undefined })),
    ).toHaveProperty(
      'message',
      expect.stringMatching(
        /^(error decoding patch: )?exceeded max depth: objects may be nested 500 levels deep$/,
      ),
    );
  });

  it('applyPatch refuses a strategic merge patch of a custom kind, and lists the accepted content types', () => {
    const error = caught(() =>
      patched({ contentType: 'application/strategic-merge-patch+json', patch: {}, target: {}, type: WIDGET }),
    );
    expect(error).toBeInstanceOf(UnsupportedPatchError);
    expect(error).toHaveProperty('message', expect.stringContaining(ANY_KIND.join(', ')));
  });

  // Other code handles server-side apply.
  it.each(['', 'application/json', 'text/plain', APPLY])('applyPatch refuses type "%s"', (contentType) => {
    expect(caught(() => patched({ contentType, patch: {}, target: {} }))).toBeInstanceOf(UnknownPatchError);
  });
});
