import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../../lib/platform/index.ts';
import { readTimeout } from '../../../../lib/server/http/read-timeout.ts';
import { refusalOf } from '../fixtures.ts';

const timeoutOf = (query: Record<string, string>) => readTimeout(new URLSearchParams(query));

describe('The timeout of a request', () => {
  it.each([
    ['1s', 1_000],
    ['1m30s', TIMING.request],
    ['1.5s', 1_500],
    ['.5s', 500],
    ['300ms', 300],
    ['250µs', 0.25],
    ['0', undefined],
    ['', undefined],
    ['-5s', undefined],
  ])('is %j in ms: %s', (timeout, ms) => {
    expect(timeoutOf({ timeout })).toBe(ms);
  });

  it.each([
    ['invalid', 'time: invalid duration "invalid"'],
    ['5', 'time: missing unit in duration "5"'],
    ['5x', 'time: unknown unit "x" in duration "5x"'],
    ['-', 'time: invalid duration "-"'],
    ['1s.', 'time: invalid duration "1s."'],
  ])('is refused in the words of kube-apiserver where it is %j', (timeout, words) => {
    const { code, message } = refusalOf(() => timeoutOf({ timeout }));
    expect([code, message]).toEqual([400, `invalid timeout specified in the request URL - ${words}`]);
  });

  it('does not count for a watch', () => {
    expect(timeoutOf({ timeout: 'invalid', watch: 'true' })).toBeUndefined();
  });
});
