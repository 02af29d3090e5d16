import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { root } from '../../../infra/bundle/index.ts';
import { readProps } from '../../../infra/read-props.ts';
import { readSettings, SETTINGS, unknownSettings, withSettingsTable } from '../../../infra/settings/index.ts';
import { WinnowStack } from '../../../infra/stack.ts';
import { withBundles } from './synthesized.ts';

const NAMES = Object.keys(SETTINGS);

const settings = (context: Record<string, unknown> = {}) => readSettings(new App({ context }).node);

describe('the settings in the CDK context', () => {
  it('the default settings are safe', () => {
    expect(settings()).toEqual({
      stackName: 'Winnow',
      prefix: undefined,
      streaming: true,
      principals: undefined,
      members: undefined,
      emulator: undefined,
      stsEndpoint: undefined,
      destroyable: false,
      dashboard: false,
      placement: false,
      schedulerName: undefined,
      addedAffinity: undefined,
      hardPodAffinityWeight: undefined,
      logLevel: undefined,
      derived: [],
      serviceClusterIPRange: undefined,
      historyDays: undefined,
      watchesPerUser: undefined,
      requestsPerUser: '50/200',
      authorNotSeenAfter: undefined,
      requestRate: undefined,
      requestBurst: undefined,
      vpcEndpoints: undefined,
      allowedSources: undefined,
      webAcl: undefined,
      reservedConcurrency: 'off',
      tableStream: undefined,
      key: undefined,
      webhooks: undefined,
      auditPolicy: undefined,
      auditQueue: undefined,
      auditLogRetention: undefined,
      auditLogKey: undefined,
      authenticationConfig: undefined,
      serviceAccountTokens: false,
      serviceAccountAdmission: true,
      canary: false,
      configFile: undefined,
      confirmChange: [],
      consumers: undefined,
      enforceLimits: false,
      selectorBytes: undefined,
      selectorBytesPerNamespace: undefined,
      selectorBytesPerCollection: undefined,
      subscriptionsPerNamespace: undefined,
      talliesPerNamespace: undefined,
      billing: 'on-demand',
      readCapacity: undefined,
      writeCapacity: undefined,
      targetUtilization: undefined,
      warmWriteUnits: undefined,
    });
  });

  it('the settings are read from the command line', () => {
    const arns = ['arn:aws:iam::111122223333:role/A', 'arn:aws:iam::111122223333:user/b'];
    expect(
      settings({ stackName: 'Other', streaming: 'false', destroyable: 'true', principals: arns.join(', ') }),
    ).toMatchObject({
      stackName: 'Other',
      streaming: false,
      destroyable: true,
      principals: arns,
    });
  });

  it('the settings are read from cdk.json', () => {
    expect(settings({ destroyable: true, principals: ['arn:aws:iam::111122223333:role/A'] })).toMatchObject({
      destroyable: true,
      principals: ['arn:aws:iam::111122223333:role/A'],
    });
  });

  it('an empty list of principals names no principal, not even the deployer', () => {
    expect(settings({ principals: '' }).principals).toEqual([]);
  });

  it('a number may be text, and a list may be a list or text', () => {
    expect(settings({ watchesPerUser: '20', derived: 'status,leases' })).toMatchObject({
      watchesPerUser: 20,
      derived: ['status', 'leases'],
    });
    expect(settings({ watchesPerUser: 20, derived: ['status', 'leases'] })).toMatchObject({
      watchesPerUser: 20,
      derived: ['status', 'leases'],
    });
  });
});

describe('The props of the construct', () => {
  const props = (context: Record<string, unknown>) => readProps(settings(context));

  it("the default prefix is the stack's name", async () => {
    await expect(props({ stackName: 'Other' })).resolves.toMatchObject({ prefix: 'other' });
    await expect(props({ stackName: 'Other', prefix: 'mine' })).resolves.toMatchObject({ prefix: 'mine' });
  });

  it('the default principal is the deployer', async () => {
    const deployer = 'arn:aws:iam::111122223333:role/A';
    expect((await readProps(settings(), deployer)).principals).toEqual([deployer]);
    expect((await readProps(settings({ principals: '' }), deployer)).principals).toEqual([]);
  });

  it('the provisioned capacity has defaults for unset parts', async () => {
    const some = { minimum: 5, maximum: 1_000 };
    expect((await props({ billing: 'provisioned' })).provisioned).toEqual({
      read: some,
      write: some,
      utilization: 70,
    });
    const given = { readCapacity: '25-40000', writeCapacity: '10-10', targetUtilization: '50' };
    expect((await props({ billing: 'provisioned', ...given })).provisioned).toEqual({
      read: { minimum: 25, maximum: 40_000 },
      write: { minimum: 10, maximum: 10 },
      utilization: 50,
    });
    expect((await props({ billing: 'on-demand' })).provisioned).toBeUndefined();
  });
});

const provisioned = { billing: 'provisioned' };

/** Invalid values of every setting, and the messages that refuse them. */
const WRONG: readonly (readonly [context: Record<string, unknown>, says: string])[] = [
  [{ stackName: 'a b' }, 'a b'],
  [{ stackName: '' }, 'the setting stackName is ""'],
  [{ prefix: 'Upper' }, 'the prefix is Upper: it must be up to 24 lower-case letters'],
  [{ prefix: '' }, 'the setting prefix is ""'],
  [{ stackName: 'A-name-that-is-too-long-for-a-prefix' }, 'set another one with -c prefix='],
  [{ principals: 'me' }, 'me is not the ARN of an IAM user or role'],
  [{ members: 'own,us' }, 'us is not the ARN of an IAM user or role'],
  [{ streaming: 'no' }, 'the setting streaming is "no": it must be true or false'],
  [{ destroyable: 'yes' }, 'the setting destroyable is "yes"'],
  [{ destroyable: '' }, 'the setting destroyable is ""'],
  [{ dashboard: 'off' }, 'the setting dashboard is "off"'],
  [{ placement: 'winnow' }, 'the setting placement is "winnow": it must be true or false'],
  [{ schedulerName: '' }, 'the setting schedulerName is ""'],
  [{ addedAffinity: '' }, 'the setting addedAffinity is ""'],
  [{ hardPodAffinityWeight: '101' }, 'the setting hardPodAffinityWeight is "101"'],
  [{ hardPodAffinityWeight: '' }, 'the setting hardPodAffinityWeight is ""'],
  [{ webhooks: true }, 'the setting webhooks is true: it must be a non-empty string'],
  [{ auditPolicy: 7 }, 'the setting auditPolicy is 7: it must be a non-empty string'],
  [{ auditLogRetention: '31' }, 'the setting auditLogRetention is "31": it must be one of 1, 3, 5'],
  [{ auditLogRetention: '' }, 'the setting auditLogRetention is ""'],
  [{ auditLogRetention: 365 }, 'auditLogRetention needs auditPolicy'],
  [{ auditLogKey: 'managed' }, 'auditLogKey needs auditLogRetention'],
  [{ auditLogKey: '' }, 'the setting auditLogKey is ""'],
  [{ auditQueue: '' }, 'the setting auditQueue is ""'],
  [{ authenticationConfig: true }, 'the setting authenticationConfig is true: it must be a non-empty string'],
  [{ configFile: '' }, 'the setting configFile is ""'],
  [{ confirmChange: 'keys' }, 'the setting confirmChange is "keys": it must be of prefix, principals'],
  [{ canary: 'on' }, 'the setting canary is "on": it must be true or false'],
  [
    { serviceAccountAdmission: 'on' },
    'the setting serviceAccountAdmission is "on": it must be true or false',
  ],
  [{ serviceAccountTokens: 'on' }, 'the setting serviceAccountTokens is "on": it must be true or false'],
  [{ watchesPerUser: '0' }, 'the setting watchesPerUser is "0": it must be a whole number from 1 to 1000'],
  [{ watchesPerUser: 1_001 }, 'the setting watchesPerUser is 1001'],
  [{ authorNotSeenAfter: '30' }, 'an absent user is "30": it must be a number of s, m, h or d'],
  [{ historyDays: '36' }, 'the setting historyDays is "36": it must be a whole number from 1 to 35'],
  [{ watchesPerUser: '' }, 'the setting watchesPerUser is ""'],
  [{ requestRate: '0' }, 'the setting requestRate is "0": it must be a whole number from 1 to 10000'],
  [{ requestBurst: 'many' }, 'the setting requestBurst is "many"'],
  [
    { vpcEndpoints: 'vpc-12345678' },
    'the setting vpcEndpoints has "vpc-12345678": it must be the id of a VPC endpoint',
  ],
  [{ allowedSources: '10.0.0.0' }, 'the setting allowedSources has "10.0.0.0": it must be a network such as'],
  [{ allowedSources: '10.0.0.256/8' }, 'the setting allowedSources has "10.0.0.256/8"'],
  [{ allowedSources: 'vpc-12345678' }, 'or with vpcEndpoints the id of a VPC'],
  [{ webAcl: 'arn:aws:waf::1:webacl/x' }, 'it must be the ARN of a regional web ACL'],
  [{ reservedConcurrency: 'yes' }, 'reservedConcurrency is "yes": use off, on, or numbers'],
  [{ reservedConcurrency: 'dispatch=2' }, 'sets dispatch=2, but dispatch needs at least 3'],
  [{ requestsPerUser: 'none' }, 'the request limit of one user (requestsPerUser) is "none"'],
  [{ requestsPerUser: '0/5' }, 'it must be off, or requests a second and a burst, such as 50/200'],
  [{ requestsPerUser: 50 }, 'the setting requestsPerUser is 50: it must be a non-empty string'],
  [{ consumers: 'all' }, 'the setting consumers is "all": it must be own, org:<the id of an organization>'],
  [{ consumers: 'org:mine' }, 'the setting consumers is "org:mine"'],
  [{ consumers: '12345' }, 'the setting consumers is "12345"'],
  [{ enforceLimits: 'yes' }, 'the setting enforceLimits is "yes": it must be true or false'],
  [{ selectorBytes: 150_001 }, 'the setting selectorBytes is 150001: it must be a whole number from 64'],
  [{ selectorBytesPerNamespace: '1' }, 'the setting selectorBytesPerNamespace is "1"'],
  [{ selectorBytesPerCollection: 0 }, 'the setting selectorBytesPerCollection is 0'],
  [{ subscriptionsPerNamespace: 0 }, 'the setting subscriptionsPerNamespace is 0'],
  [{ talliesPerNamespace: 'many' }, 'the setting talliesPerNamespace is "many"'],
  [{ logLevel: 'debug' }, 'the setting logLevel is "debug": it must be one of TRACE, DEBUG'],
  [
    { derived: 'status,slices' },
    'the setting derived is "status,slices": it must be of status, endpointslices',
  ],
  [
    { serviceClusterIPRange: '10.64.0.0' },
    'the range of clusterIPs is "10.64.0.0": it must be an IPv4 network',
  ],
  [{ serviceClusterIPRange: 'fd00::/108' }, 'it must be an IPv4 network such as 10.96.0.0/12'],
  [{ serviceClusterIPRange: '10.0.0.0/8' }, 'it is too large; use a network from /12 to /29'],
  [{ tableStream: 'Restored' }, "tableStream is Restored: it must be the ARN of a table's stream"],
  [{ key: 'mine' }, 'the setting key is mine: it must be managed or the ARN of a KMS key'],
  [{ billing: 'cheap' }, 'the setting billing is "cheap": it must be one of on-demand, provisioned'],
  [{ billing: '' }, 'the setting billing is ""'],
  [{ readCapacity: '5-10' }, 'the setting readCapacity is for billing=provisioned only'],
  [{ ...provisioned, readCapacity: 5 }, 'the setting readCapacity is 5: it must be <minimum>-<maximum>'],
  [{ ...provisioned, readCapacity: '0-5' }, 'the setting readCapacity is "0-5"'],
  [{ ...provisioned, writeCapacity: '50-5' }, 'the setting writeCapacity is "50-5"'],
  [{ ...provisioned, targetUtilization: 'high' }, 'the setting targetUtilization is "high"'],
  [
    { ...provisioned, targetUtilization: 91 },
    'the setting targetUtilization is 91: it must be a whole number from 20 to 90',
  ],
  [
    { warmWriteUnits: 100 },
    'the setting warmWriteUnits is 100: it must be a whole number from 4000 to 10000000',
  ],
  [{ targetUtilization: 50 }, 'the setting targetUtilization is for billing=provisioned only'],
  [{ emulator: 'moto' }, 'unknown emulator moto; use ministack or localstack'],
  [{ stsEndpoint: '' }, 'the setting stsEndpoint is ""'],
  [{ stsEndpoint: true }, 'the setting stsEndpoint is true'],
  [
    { stsEndpoint: 'https://sts.example' },
    'stsEndpoint is https://sts.example: it must be an emulator on loopback',
  ],
];

/** Creates the stack as `infra/app.ts` does. */
async function deploy(bundles: string, context: Record<string, unknown>): Promise<WinnowStack> {
  const app = new App({ context, analyticsReporting: false });
  const chosen = readSettings(app.node);
  return new WinnowStack(app, chosen.stackName, { ...(await readProps(chosen)), bundles });
}

describe('the settings of a deployment', () => {
  it.each(WRONG)('the setting %j is refused with a clear message', async (context, says) => {
    await withBundles((bundles) => expect(deploy(bundles, context)).rejects.toThrow(says));
  });

  it('every setting has an invalid value in this test', () => {
    expect(new Set(WRONG.flatMap(([context]) => Object.keys(context)))).toEqual(new Set(NAMES));
  });

  it('every setting has its row in docs/deploy/README.md, which `npm run settings` writes', () => {
    const page = readFileSync(join(root, 'docs', 'deploy', 'README.md'), 'utf8');
    expect(page).toBe(withSettingsTable(page));
    const [, table = ''] = page.split('<!--');
    const rows = table.matchAll(/^\| `(\w+)` \|/gm);
    expect([...rows].map(([, name]) => name)).toEqual(NAMES);
  });

  it.each(Object.entries(SETTINGS))('the description of %s is a sentence', (_name, { description }) => {
    expect(description).toMatch(/^[A-Z`].*\.$/);
  });

  it("an unknown setting is reported, and the CDK's own context is not", () => {
    const known = Object.fromEntries(NAMES.map((name) => [name, 'x']));
    const others = { 'aws:cdk:version-reporting': true, '@aws-cdk/core:flag': true, 'cli-telemetry': false };
    const { node } = new App({ context: { ...known, ...others, destroyabel: 'true' } });
    expect(unknownSettings(node)).toEqual([
      '-c destroyabel has no effect: unknown setting destroyabel; did you mean destroyable?',
    ]);
  });

  it('the settings are read in one place', () => {
    const files = globSync('infra/**/*.ts', { cwd: root });
    const reading = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('tryGetContext'));
    expect(reading).toEqual(['infra/settings/read-settings.ts']);
  });
});
