import { describe, expect, it } from '@jest/globals';
import { patchTarget, refuseUnreadable } from '../../../../lib/server/verbs/patch-target.ts';
import { PODS, refusalOf } from '../fixtures.ts';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const FAILING = '[{"op":"test","path":"/a","value":1}]';
const patchOf = (contentType: string, text: string) => ({
  contentType,
  patch: Buffer.from(text),
  type: PODS,
  message: undefined,
});

describe('A patch that is refused', () => {
  it.each([
    ['no JSON', MERGE, '{', 400, 'BadRequest'],
    ['of no known type', 'text/plain', '{}', 415, 'UnsupportedMediaType'],
    ['that does not apply', JSON_PATCH, FAILING, 422, 'Invalid'],
  ])('%s', (_, contentType, text, code, reason) => {
    const refusal = refusalOf(() => patchTarget({ ...patchOf(contentType, text), target: {} }));
    expect({ code: refusal.code, reason: refusal.reason }).toEqual({ code, reason });
  });

  it('The refusal says why the patch did not apply', () => {
    const { warnings } = refusalOf(() => patchTarget({ ...patchOf(JSON_PATCH, FAILING), target: {} }));
    expect(warnings).toEqual([expect.stringContaining('operation 0: test /a')]);
  });

  it('A patch of a missing object is refused early only if it could apply to no object', () => {
    expect(() => refuseUnreadable(patchOf(JSON_PATCH, FAILING))).not.toThrow();
    expect(refusalOf(() => refuseUnreadable(patchOf(MERGE, '{'))).code).toBe(400);
  });
});
