import { describe, expect, it } from '@jest/globals';
import { createVerifier, type StsAnswer, StsUnavailableError } from '../../../lib/login/index.ts';
import { EXAMPLE_CREDENTIALS, eksToken, type SigningOptions } from '../../support/login/eks-token.ts';
import { errorXml, fakeSts, identityXml } from '../../support/login/fake-sts.ts';
import { FORGERIES } from './forgeries.ts';

const ROLE = 'arn:aws:iam::111122223333:role/Admin';
const SESSION = 'arn:aws:sts::111122223333:assumed-role/Admin/alice';
const SIGNED = Date.parse('2026-11-21T15:07:10Z');
const MINUTE = 60_000;
const good: SigningOptions = { clusterId: 'winnow-abc', date: new Date(SIGNED) };

/** A verifier of the cluster `winnow-abc` whose clock the test controls. */
function setUp(sts = fakeSts({ [EXAMPLE_CREDENTIALS.accessKeyId]: SESSION })) {
  const clock = { time: SIGNED, now: () => clock.time };
  const verify = createVerifier({ clusterId: 'winnow-abc', partition: 'aws', ask: sts.ask, clock });
  return { sts, clock, verify };
}

/** An STS that gives these answers in turn, and repeats the last one. */
function answering(...answers: readonly StsAnswer[]) {
  const asked: never[] = [];
  const ask = async (request: unknown) => {
    asked.push(request as never);
    return answers[Math.min(asked.length, answers.length) - 1] as StsAnswer;
  };
  return { ask, asked };
}

const yes = { status: 200, body: identityXml(SESSION) };

describe('the token that aws-cli 1.46.3 printed for AWS example credentials', () => {
  // aws eks get-token --cluster-name winnow-abc, on 2026-11-21 at 15:07:10
  const token =
    'k8s-aws-v1.aHR0cHM6Ly9zdHMuZXUtd2VzdC0xLmFtYXpvbmF3cy5jb20vP0FjdGlvbj1HZXRDYWxsZXJJZGVudGl0eSZWZXJzaW9uPTIwMTEtMDYtMTUmWC1BbXotQWxnb3JpdGhtPUFXUzQtSE1BQy1TSEEyNTYmWC1BbXotQ3JlZGVudGlhbD1BS0lBSU9TRk9ETk43RVhBTVBMRSUyRjIwMjYxMTIxJTJGZXUtd2VzdC0xJTJGc3RzJTJGYXdzNF9yZXF1ZXN0JlgtQW16LURhdGU9MjAyNjExMjFUMTUwNzEwWiZYLUFtei1FeHBpcmVzPTYwJlgtQW16LVNpZ25lZEhlYWRlcnM9aG9zdCUzQngtazhzLWF3cy1pZCZYLUFtei1TZWN1cml0eS1Ub2tlbj1Gd29HWlhJdllYZHolMkIlMkYlM0QlM0RhYmMmWC1BbXotU2lnbmF0dXJlPWI1YTIyZWJkNWNiYzRmOTNmYjdkNjZhYjUwMmVlODVhM2JjODQ1MDE5MmM3NDdkNjNmMDRlZTY1ZTIxMmJkNDI';

  it('The token is a valid login', async () => {
    await expect(setUp().verify(token)).resolves.toEqual({
      arn: ROLE,
      partition: 'aws',
      account: '111122223333',
      session: 'alice',
    });
  });
});

describe('A token of the login', () => {
  it.each([
    ['permanent credentials', {}],
    ['temporary ones', { credentials: { ...EXAMPLE_CREDENTIALS, sessionToken: 'FwoGZXIvYXdz+/==abc' } }],
    ['another region', { region: 'ap-southeast-5' }],
    ['the global endpoint', { host: 'sts.amazonaws.com', region: 'us-east-1' }],
    ['the longest time that STS takes', { expiresIn: 900 }],
  ])('A token made with %s is a valid login', async (_what, changes) => {
    const token = await eksToken({ ...good, ...changes });
    await expect(setUp().verify(token)).resolves.toMatchObject({ arn: ROLE });
  });

  it.each(FORGERIES)(
    'A token with $what is rejected by the check of its $check, and STS receives no request',
    async (forgery) => {
      const { verify, sts } = setUp(answering(yes));
      await expect(verify(await forgery.forge(good))).rejects.toMatchObject({
        name: 'RefusedError',
        check: forgery.check,
      });
      expect(sts.asked).toEqual([]);
    },
  );

  it.each([
    ['another cluster', { clusterId: 'winnow-abd' }],
    ['no cluster in particular', { clusterId: '' }],
    ['POST', { method: 'POST' }],
    ['another path', { path: '/x' }],
  ])(
    'A token signed for %s is rejected by STS, because Winnow requests its own cluster',
    async (_what, changes) => {
      const { verify, sts } = setUp();
      const token = await eksToken({ ...good, ...changes });
      await expect(verify(token)).rejects.toMatchObject({ check: 'sts' });
      expect(sts.asked).toMatchObject([{ host: 'sts.eu-west-1.amazonaws.com', clusterId: 'winnow-abc' }]);
    },
  );

  it('A token signed with another secret is rejected by STS', async () => {
    const credentials = { ...EXAMPLE_CREDENTIALS, secretAccessKey: 'guessed' };
    const token = await eksToken({ ...good, credentials });
    await expect(setUp().verify(token)).rejects.toMatchObject({ check: 'sts' });
  });

  it.each([
    ['14 minutes after it was signed', 14 * MINUTE],
    ['more than 5 minutes before', -5 * MINUTE - 1],
  ])('A token is too old or too young %s', async (_when, offset) => {
    const { verify, clock, sts } = setUp();
    clock.time += offset;
    await expect(verify(await eksToken(good))).rejects.toMatchObject({ check: 'age' });
    expect(sts.asked).toEqual([]);
  });

  it.each([14 * MINUTE - 1, -5 * MINUTE])('A token is valid %i ms after it was signed', async (offset) => {
    const { verify, clock } = setUp();
    clock.time += offset;
    await expect(verify(await eksToken(good))).resolves.toMatchObject({ arn: ROLE });
  });
});

describe('The answer of STS', () => {
  it.each([
    ['nothing', ''],
    ['a page', '<html></html>'],
    ['an error', errorXml('AccessDenied')],
    ['no ARN', identityXml('')],
    ['two ARNs', identityXml(`${SESSION}</Arn><Arn>${SESSION}`)],
    ['the ARN of no principal', identityXml('arn:aws:s3:::bucket')],
    ['the ARN of another account', identityXml(SESSION, '444455556666')],
    ['the ARN of another partition', identityXml(SESSION.replace(':aws:', ':aws-cn:'))],
    ['an escaped character', identityXml(SESSION.replace('alice', 'a&amp;b'))],
  ])('The answer 200 with %s is no login', async (_what, body) => {
    const { verify } = setUp(answering({ status: 200, body }));
    await expect(verify(await eksToken(good))).rejects.toMatchObject({ check: 'identity' });
  });

  it.each([
    [302, ''],
    [400, errorXml('Throttling')],
    [429, ''],
    [500, ''],
    [503, ''],
  ])('The answer %i %s is no verdict on the token, which may be valid later', async (status, body) => {
    const { verify } = setUp(answering({ status, body }, yes));
    const token = await eksToken(good);
    await expect(verify(token)).rejects.toThrow(StsUnavailableError);
    await expect(verify(token)).resolves.toMatchObject({ arn: ROLE });
  });

  it('A missing answer is no verdict on the token either', async () => {
    const { verify } = setUp({ ask: () => Promise.reject(new Error('no route')), asked: [] });
    await expect(verify(await eksToken(good))).rejects.toThrow(StsUnavailableError);
  });
});

describe('The verdict on a token', () => {
  it('A verdict is cached for a minute', async () => {
    const { verify, clock, sts } = setUp();
    const token = await eksToken(good);
    await verify(token);
    clock.time += MINUTE - 1;
    await verify(token);
    expect(sts.asked).toHaveLength(1);
    clock.time += 1;
    await verify(token);
    expect(sts.asked).toHaveLength(2);
  });

  it('A verdict is never cached beyond the expiry of its token', async () => {
    const { verify, clock } = setUp();
    const token = await eksToken(good);
    clock.time += 14 * MINUTE - 1;
    await verify(token);
    clock.time += 1;
    await expect(verify(token)).rejects.toMatchObject({ check: 'age' });
  });

  it('A rejection by STS is cached as well', async () => {
    const { verify, sts } = setUp();
    const token = await eksToken({ ...good, clusterId: 'other' });
    await expect(verify(token)).rejects.toMatchObject({ check: 'sts' });
    await expect(verify(token)).rejects.toMatchObject({ check: 'sts' });
    expect(sts.asked).toHaveLength(1);
  });

  it('A verdict applies to one token: another token of the same principal is sent to STS', async () => {
    const { verify, sts } = setUp();
    await verify(await eksToken(good));
    await verify(await eksToken({ ...good, expiresIn: 61 }));
    expect(sts.asked).toHaveLength(2);
  });
});
