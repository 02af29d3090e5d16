import { describe, expect, it } from '@jest/globals';
import { bundleFunctions, readParts } from '../../../infra/bundle/bundle-functions.ts';
import { BUNDLE_BAR } from '../../bench/bars.ts';
import { runBundled } from '../../support/service/bundled.ts';

const LARGEST = 8;

describe('the code of every function', () => {
  it('is small; where one is not, this names its largest parts', async () => {
    const bundles = await bundleFunctions();
    const tooLarge = bundles.bundles.filter(({ bytes }) => bytes > BUNDLE_BAR);
    const reports = tooLarge.map(async ({ name, bytes }) => ({
      name,
      bytes,
      atMost: BUNDLE_BAR,
      largest: Object.entries(await readParts(bundles, name)).slice(0, LARGEST),
    }));
    expect(await Promise.all(reports)).toEqual([]);
  });

  it('holds no way to log in', async () => {
    const bundles = await bundleFunctions();
    for (const { name } of bundles.bundles) {
      const providers = Object.keys(await readParts(bundles, name)).filter((part) =>
        /credential-provider|nested-clients|token-providers/.test(part),
      );
      expect([name, ...providers]).toEqual(
        name === 'authorizer' || name === 'subscription-resource'
          ? [name]
          : [name, '@aws-sdk/credential-provider-env'],
      );
    }
  });
});

describe('a bundled client of AWS', () => {
  const code = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
const credentials = await new DynamoDBClient({ region: 'eu-west-1' }).config.credentials().catch(({ message }) => ({ message }));
console.log(JSON.stringify(credentials));`;

  it('takes the credentials of the environment, the session token among them', async () => {
    const environment = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'session',
      // What Lambda does not set does no harm.
      AWS_PROFILE: 'somebody',
    };
    expect(JSON.parse(await runBundled(code, environment))).toMatchObject({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'session',
    });
  });

  it('says where it looked for credentials when there are none', async () => {
    expect(JSON.parse(await runBundled(code))).toEqual({
      message: 'Unable to find environment variable credentials.',
    });
  });
});
