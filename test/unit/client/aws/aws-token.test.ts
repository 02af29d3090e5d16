import { createServer } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type AwsTokenOptions, awsToken } from '../../../../lib/client/aws/index.ts';
import { stsHost } from '../../../../lib/client/aws/sign-token.ts';
import { createVerifier, stsHosts } from '../../../../lib/login/index.ts';
import { listen } from '../../../support/listen.ts';
import { decodeToken, EXAMPLE_CREDENTIALS, eksToken } from '../../../support/login/eks-token.ts';
import { fakeSts } from '../../../support/login/fake-sts.ts';

const SESSION = 'arn:aws:sts::111122223333:assumed-role/Admin/alice';
const START = Date.parse('2026-11-28T12:00:00Z');
const MINUTE = 60_000;
const CLUSTER = { clusterId: 'winnow-abc', region: 'eu-west-1' };

let now = START;
jest.spyOn(Date, 'now').mockImplementation(() => now);

afterEach(() => {
  now = START;
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
});

/** Winnow's own check of a login, with an STS that checks signatures. */
const verify = createVerifier({
  clusterId: CLUSTER.clusterId,
  partition: 'aws',
  ask: fakeSts({ [EXAMPLE_CREDENTIALS.accessKeyId]: SESSION }).ask,
  clock: { now: () => now },
});

/** The token of the next request; `refused` is the one that Winnow refused. */
const tokenOf = (source: ReturnType<typeof awsToken>, refused?: string) =>
  Promise.resolve(source(refused)).then(String);
const signed = (options: Partial<AwsTokenOptions> = {}) => awsToken({ ...CLUSTER, ...options });

describe('A token of an IAM principal', () => {
  it.each([
    ['lasting', EXAMPLE_CREDENTIALS],
    ['temporary', { ...EXAMPLE_CREDENTIALS, sessionToken: "FwoGZXIvYXdz+/==!'()*" }],
  ])(
    'A token signed with %s credentials is the one that aws eks get-token prints',
    async (_, credentials) => {
      const theirs = new URL(decodeToken(await eksToken({ ...CLUSTER, credentials, date: new Date(now) })));
      const ours = new URL(decodeToken(await tokenOf(signed({ credentials }))));
      expect(Object.fromEntries(ours.searchParams)).toEqual(Object.fromEntries(theirs.searchParams));
      expect(ours.origin).toBe(theirs.origin);
    },
  );

  it('Winnow accepts the token, and refuses that of another cluster, or of a wrong secret', async () => {
    const credentials = { ...EXAMPLE_CREDENTIALS, sessionToken: 'of/a+role=' };
    expect(await verify(await tokenOf(signed({ credentials })))).toMatchObject({ account: '111122223333' });
    const wrong = [
      signed({ credentials, clusterId: 'other' }),
      signed({ credentials: { ...credentials, secretAccessKey: 'x' } }),
    ];
    for (const source of wrong) await expect(verify(await tokenOf(source))).rejects.toThrow();
  });

  it.each(['aws', 'aws-cn', 'aws-us-gov', 'aws-eusc'])(
    'Each region of %s has the host of STS that Winnow calls',
    (partition) => {
      const hosts = stsHosts(partition);
      const regions = new Set(hosts.values());
      expect(regions.size).toBeGreaterThan(0);
      for (const region of regions) expect(hosts.get(stsHost(region))).toBe(region);
    },
  );
});

describe('The renewal of a token', () => {
  it('A token is kept until a minute before Winnow refuses it', async () => {
    const source = signed({ credentials: EXAMPLE_CREDENTIALS });
    const first = await tokenOf(source);
    now = START + 13 * MINUTE - 1;
    expect(await tokenOf(source)).toBe(first);
    await expect(verify(first)).resolves.toBeDefined();
    now = START + 13 * MINUTE;
    const second = await tokenOf(source);
    expect(second).not.toBe(first);
    await expect(verify(second)).resolves.toBeDefined();
  });

  it('A token is renewed a minute before its credentials end, with new ones, which are asked for once', async () => {
    let provided = 0;
    const source = signed({
      credentials: async () => {
        provided += 1;
        return { ...EXAMPLE_CREDENTIALS, expiration: new Date(now + 5 * MINUTE) };
      },
    });
    const [first, same] = await Promise.all([tokenOf(source), tokenOf(source)]);
    expect([same, provided]).toEqual([first, 1]);
    now = START + 4 * MINUTE - 1;
    expect([await tokenOf(source), provided]).toEqual([first, 1]);
    now = START + 4 * MINUTE;
    expect(await tokenOf(source)).not.toBe(first);
    expect(provided).toBe(2);
  });

  it('A refused token is signed anew, with new credentials', async () => {
    const keys = ['AKIAOLD', EXAMPLE_CREDENTIALS.accessKeyId];
    const source = signed({
      credentials: async () => ({ ...EXAMPLE_CREDENTIALS, accessKeyId: keys.shift() ?? '' }),
    });
    const refused = await tokenOf(source);
    await expect(verify(refused)).rejects.toThrow();
    await expect(verify(await tokenOf(source, refused))).resolves.toBeDefined();
  });

  it('A provider that fails is asked again', async () => {
    const failures = [new Error('no session')];
    const source = signed({
      credentials: async () => {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return EXAMPLE_CREDENTIALS;
      },
    });
    await expect(tokenOf(source)).rejects.toThrow('no session');
    await expect(verify(await tokenOf(source))).resolves.toBeDefined();
  });
});

describe('The credentials of the environment', () => {
  const source = () => awsToken({ clusterId: CLUSTER.clusterId });

  it('The variables of a Lambda function are enough', async () => {
    Object.assign(process.env, {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: EXAMPLE_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: EXAMPLE_CREDENTIALS.secretAccessKey,
      AWS_SESSION_TOKEN: 'session',
    });
    const token = await tokenOf(source());
    expect(decodeToken(token)).toContain('X-Amz-Security-Token=session');
    await expect(verify(token)).resolves.toBeDefined();
  });

  it('The endpoint of a container gives credentials and their end', async () => {
    const asked: unknown[] = [];
    const endpoint = await listen(
      createServer(({ url, headers }, answer) => {
        asked.push([url, headers.authorization]);
        const { accessKeyId, secretAccessKey } = EXAMPLE_CREDENTIALS;
        const Expiration = new Date(now + 5 * MINUTE).toISOString();
        answer.end(
          JSON.stringify({
            AccessKeyId: accessKeyId,
            SecretAccessKey: secretAccessKey,
            Token: 'x',
            Expiration,
          }),
        );
      }),
    );
    Object.assign(process.env, {
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${endpoint.url}/role`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'login',
    });
    const renewing = source();
    const first = await tokenOf(renewing);
    await expect(verify(first)).resolves.toBeDefined();
    now = START + 4 * MINUTE;
    expect(await tokenOf(renewing)).not.toBe(first);
    expect(asked).toEqual([
      ['/role', 'login'],
      ['/role', 'login'],
    ]);
    await endpoint.stop();
    now = START + 8 * MINUTE;
    await expect(tokenOf(renewing)).rejects.toThrow('does not answer');
  });

  it.each([
    [{}, 'there is no region'],
    [{ AWS_REGION: 'eu-west-1' }, 'there are no AWS credentials'],
    [
      { AWS_REGION: 'eu-west-1', AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://evil.example/' },
      'names evil.example',
    ],
  ])('The environment %j is an error in words', async (variables, words) => {
    Object.assign(process.env, variables);
    await expect((async () => tokenOf(source()))()).rejects.toThrow(words);
  });
});
