import { describe, expect, it } from '@jest/globals';
import { createAdmit } from '../../../../functions/http/admit.ts';
import { createAuthorize } from '../../../../functions/http/authorize.ts';
import { type Principal, RefusedError, StsUnavailableError } from '../../../../lib/login/index.ts';

const methodArn = 'arn:aws:execute-api:eu-west-1:111122223333:api/v1/GET/api/v1/pods';
const wholeStage = 'arn:aws:execute-api:eu-west-1:111122223333:api/v1/*';
const arn = 'arn:aws:iam::111122223333:role/Admin';
const alice: Principal = { arn, partition: 'aws', account: '111122223333', session: 'alice' };

/** An authorizer that lets `arn` in, and accepts the token `good` as the token of that principal. */
function setUp(principal = alice, failure: Error = new RefusedError('sts'), members: string[] = []) {
  const logged: string[] = [];
  const measured: string[] = [];
  const note = (message: string, data?: object) => logged.push(`${message} ${JSON.stringify(data)}`);
  const admit = createAdmit({
    verify: (token) => (token === 'good' ? Promise.resolve(principal) : Promise.reject(failure)),
    principals: new Set([arn]),
    members: new Set(members),
    logger: { debug: note, info: note, warn: note, error: note },
    metrics: { record: (metric, value) => measured.push(`${metric} ${value}`) },
  });
  const authorize = createAuthorize(admit);
  const ask = (authorizationToken: string) => authorize({ type: 'TOKEN', methodArn, authorizationToken });
  return { ask, logged, measured };
}

describe('The authorizer', () => {
  it('The authorizer lets a named principal in, for every path and method of the stage', async () => {
    await expect(setUp().ask('Bearer good')).resolves.toEqual({
      principalId: arn,
      context: { principal: arn, administrator: 'true', session: 'alice' },
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: wholeStage }],
      },
    });
  });

  it.each([
    'arn:aws:iam::111122223333:role/Other',
    'arn:aws:iam::444455556666:role/Admin',
    'arn:aws:iam::111122223333:user/Admin',
    'arn:aws:iam::111122223333:role/admin',
    'arn:aws:iam::111122223333:role/Admin2',
  ])('The authorizer refuses %s for every path and method, and logs the caller', async (other) => {
    const { ask, logged } = setUp({ ...alice, arn: other });
    const { policyDocument } = await ask('Bearer good');
    expect(policyDocument.Statement).toEqual([
      { Action: 'execute-api:Invoke', Effect: 'Deny', Resource: wholeStage },
    ]);
    expect(logged).toEqual([expect.stringContaining(other)]);
  });

  it('The authorizer accepts users of an issuer, under names that no principal has, and logs no token', async () => {
    const logged: string[] = [];
    const note = (message: string, data?: object) => logged.push(`${message} ${JSON.stringify(data)}`);
    const authorize = createAuthorize(
      createAdmit({
        verify: () => Promise.reject(new RefusedError('prefix')),
        verifyJwt: async (token) => {
          const many = Array(600).fill('oidc:team-red');
          if (token === 'm.a.ny') return { username: 'jane', groups: many, expires: 1 };
          if (token !== 'a.b.c') throw new RefusedError('signature');
          return { username: 'jane', uid: '7', groups: ['fleet'], expires: 1_000 };
        },
        principals: new Set(['jane']),
        members: new Set(['jane']),
        logger: { debug: note, info: note, warn: note, error: note },
        metrics: { record: () => {} },
      }),
    );
    const ask = (token: string) =>
      authorize({ type: 'TOKEN', methodArn, authorizationToken: `Bearer ${token}` });
    await expect(ask('a.b.c')).resolves.toMatchObject({
      principalId: 'jane',
      context: { username: 'jane', uid: '7', groups: '["fleet"]', expires: '1000' },
      policyDocument: { Statement: [{ Effect: 'Allow', Resource: wholeStage }] },
    });
    await expect(ask('a.b.d')).rejects.toThrow('Unauthorized');
    await expect(ask('k8s-aws-v1.x')).rejects.toThrow('Unauthorized');
    // More than API Gateway passes on; for a longer context it reports that the authorizer failed.
    await expect(ask('m.a.ny')).rejects.toThrow('Unauthorized');
    expect(logged).toEqual([
      'a user logged in {"user":"jane"}',
      'refused a token {"check":"signature"}',
      'refused a token {"check":"prefix"}',
      'refused a token {"check":"size"}',
    ]);
  });

  it.each([
    ['its account is', '444455556666'],
    ['it is itself', 'arn:aws:iam::444455556666:role/Other'],
  ])(
    'The authorizer lets a principal in if %s a member, but not as an administrator',
    async (_who, member) => {
      const other = { ...alice, arn: 'arn:aws:iam::444455556666:role/Other', account: '444455556666' };
      const { ask } = setUp(other, undefined, [member]);
      expect(await ask('Bearer good')).toMatchObject({
        context: { principal: other.arn, session: 'alice' },
        policyDocument: { Statement: [{ Effect: 'Allow' }] },
      });
      expect((await ask('Bearer good')).context).not.toHaveProperty('administrator');
      const { policyDocument } = await setUp(other, undefined, ['4444555566660', 'role/Other']).ask(
        'Bearer good',
      );
      expect(policyDocument).toMatchObject({ Statement: [{ Effect: 'Deny' }] });
    },
  );

  it('The authorizer accepts the scheme in upper or lower case, as HTTP does', async () => {
    await expect(setUp().ask('bEARER  good')).resolves.toBeDefined();
  });

  it.each(['', 'good', 'Basic good', 'Bearer', 'Bearer ', 'Bearer bad', 'Bearer good good', 'Bearer good '])(
    'The authorizer refuses %j with 401',
    async (token) => {
      await expect(setUp().ask(token)).rejects.toThrow(/^Unauthorized$/);
    },
  );

  it('The authorizer logs which check refused a token, and never the token', async () => {
    const { ask, logged, measured } = setUp();
    await expect(ask('Bearer secret')).rejects.toThrow('Unauthorized');
    expect(measured).toEqual(['RefusedTokens 1']);
    expect(logged).toEqual([expect.stringContaining('"check":"sts"')]);
    expect(logged.join()).not.toContain('secret');
  });

  it('The authorizer lets no caller in, and answers no 401, if STS is not reachable', async () => {
    const { ask, measured } = setUp(alice, new StsUnavailableError('down'));
    await expect(ask('Bearer bad')).rejects.toThrow('down');
    expect(measured).toEqual(['UncheckedLogins 1']);
  });
});
