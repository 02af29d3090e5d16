import { describe, expect, it } from '@jest/globals';
import { createAuthorizer } from '../../../functions/authorizer.ts';

const methodArn = 'arn:aws:execute-api:eu-west-1:123456789012:api/v1/GET/api/v1/pods';

/** An authorizer whose clock and secret the test owns. */
function setUp(secret = 'correct') {
  const world = { secret, now: 0, reads: 0 };
  const authorize = createAuthorizer({
    readSecret: async () => {
      world.reads += 1;
      return world.secret;
    },
    now: () => world.now,
  });
  const ask = (authorizationToken: string) => authorize({ type: 'TOKEN', methodArn, authorizationToken });
  return { world, ask };
}

describe('the authorizer', () => {
  it('lets the token in, to every path and method of the stage', async () => {
    const { ask } = setUp();
    const answer = await ask('Bearer correct');
    expect(answer.policyDocument.Statement).toEqual([
      {
        Action: 'execute-api:Invoke',
        Effect: 'Allow',
        Resource: 'arn:aws:execute-api:eu-west-1:123456789012:api/v1/*',
      },
    ]);
  });

  it('takes the scheme in any case, as HTTP does', async () => {
    await expect(setUp().ask('bearer correct')).resolves.toBeDefined();
  });

  it.each([
    '',
    'correct',
    'Basic correct',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    'Bearer correc',
    'Bearer correctt',
    'Bearer correct correct',
    'Bearer Correct',
  ])('refuses %j with 401', async (token) => {
    await expect(setUp().ask(token)).rejects.toThrow(/^Unauthorized$/);
  });

  it('lets nobody in when the secret is empty or cannot be read', async () => {
    await expect(setUp('').ask('Bearer correct')).rejects.toThrow('empty');
    const authorize = createAuthorizer({
      readSecret: () => Promise.reject(new Error('denied')),
      now: () => 0,
    });
    const event = { type: 'TOKEN', methodArn, authorizationToken: 'Bearer correct' } as const;
    await expect(authorize(event)).rejects.toThrow('denied');
  });

  it('reads the secret once a minute, so that a new one takes effect', async () => {
    const { world, ask } = setUp();
    await ask('Bearer correct');
    world.secret = 'rotated';
    world.now = 59_999;
    await ask('Bearer correct');
    expect(world.reads).toBe(1);
    world.now = 60_000;
    await expect(ask('Bearer correct')).rejects.toThrow('Unauthorized');
    await expect(ask('Bearer rotated')).resolves.toBeDefined();
    expect(world.reads).toBe(2);
  });
});
