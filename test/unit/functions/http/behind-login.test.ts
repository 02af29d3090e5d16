import { describe, expect, it } from '@jest/globals';
import type { Admit } from '../../../../functions/http/admit.ts';
import { behindLogin } from '../../../../functions/http/behind-login.ts';
import { RefusedError, StsUnavailableError } from '../../../../lib/login/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { proxyEvent, REQUEST_ID } from './proxy-event.ts';

const arn = 'arn:aws:iam::111122223333:role/Admin';
const principal = { arn, partition: 'aws', account: '111122223333' };

/** The step before the handler, which is the login. */
function ask(admit: Admit, headers: Record<string, string> = {}) {
  return behindLogin({ admit, logger: silentLogger })({
    event: proxyEvent({ headers, multiValueHeaders: undefined }),
  });
}

const failing = (error: Error): Admit => {
  return () => Promise.reject(error);
};

it('A request of an accepted principal reaches the handler', async () => {
  const asked: unknown[] = [];
  const admit: Admit = async (authorization) => {
    asked.push(authorization);
    return { principal, allowed: true, administrator: false };
  };
  await expect(ask(admit, { Authorization: 'Bearer good' })).resolves.toBeUndefined();
  expect(asked).toEqual(['Bearer good']);
});

describe('A request that the login answers in place of the handler', () => {
  it.each([
    ['of nobody', failing(new RefusedError('length')), 401, 'Unauthorized', undefined],
    [
      'of a principal that is not let in',
      async () => ({ principal, allowed: false, administrator: false }),
      403,
      'Forbidden',
      undefined,
    ],
    ['while STS is away', failing(new StsUnavailableError('down')), 503, 'ServiceUnavailable', '1'],
    ['when the login itself fails', failing(new TypeError('a fault')), 503, 'ServiceUnavailable', '1'],
  ] as const)('The login answers: %s', async (_whose, admit, code, reason, retryAfter) => {
    const answer = await ask(admit);
    expect(answer).toMatchObject({ statusCode: code, headers: { 'audit-id': REQUEST_ID } });
    expect(answer?.headers?.['retry-after']).toBe(retryAfter);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ kind: 'Status', code, reason });
  });

  it('The handler receives the caller, and the client never learns what failed', async () => {
    const turnedAway = await ask(async () => ({ principal, allowed: false, administrator: false }));
    expect(turnedAway?.body).toContain(arn);
    expect((await ask(failing(new TypeError('a fault'))))?.body).not.toContain('a fault');
  });
});
