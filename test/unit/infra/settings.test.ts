import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { root } from '../../../infra/bundle/index.ts';
import { readSettings, unknownSettings } from '../../../infra/settings.ts';
import { WinnowStack } from '../../../infra/stack.ts';
import { withBundles } from './synthesized.ts';

const settings = (context: Record<string, unknown> = {}) => readSettings(new App({ context }).node);

describe('the context', () => {
  it('is safe when nothing is said', () => {
    expect(settings()).toEqual({
      stackName: 'Winnow',
      prefix: 'winnow',
      streaming: true,
      principals: undefined,
      members: undefined,
      emulator: undefined,
      stsEndpoint: undefined,
      destroyable: false,
      dashboard: true,
      placement: false,
      schedulerName: undefined,
      addedAffinity: undefined,
      hardPodAffinityWeight: undefined,
      logLevel: undefined,
      derived: [],
      serviceClusterIPRange: undefined,
      watchesPerUser: undefined,
      tableStream: undefined,
      key: undefined,
      auditPolicy: undefined,
      auditQueue: undefined,
      authenticationConfig: undefined,
      serviceAccountTokens: false,
      canary: false,
      provisioned: undefined,
    });
  });

  it('is read from the command line', () => {
    const arns = ['arn:aws:iam::111122223333:role/A', 'arn:aws:iam::111122223333:user/b'];
    expect(
      settings({ stackName: 'Other', streaming: 'false', destroyable: 'true', principals: arns.join(', ') }),
    ).toMatchObject({
      stackName: 'Other',
      prefix: 'other',
      streaming: false,
      destroyable: true,
      principals: arns,
    });
  });

  it('is read from cdk.json', () => {
    expect(settings({ destroyable: true, principals: ['arn:aws:iam::111122223333:role/A'] })).toMatchObject({
      destroyable: true,
      principals: ['arn:aws:iam::111122223333:role/A'],
    });
  });

  it('names nobody where the list is empty, which is not whoever deploys', () => {
    expect(settings({ principals: '' }).principals).toEqual([]);
  });

  it('provisions what is asked for, and less is enough to say', () => {
    const some = { minimum: 5, maximum: 1_000 };
    expect(settings({ billing: 'provisioned' }).provisioned).toEqual({
      read: some,
      write: some,
      utilization: 70,
    });
    const given = { readCapacity: '25-40000', writeCapacity: '10-10', targetUtilization: '50' };
    expect(settings({ billing: 'provisioned', ...given }).provisioned).toEqual({
      read: { minimum: 25, maximum: 40_000 },
      write: { minimum: 10, maximum: 10 },
      utilization: 50,
    });
    expect(settings({ billing: 'on-demand' }).provisioned).toBeUndefined();
  });
});

const provisioned = { billing: 'provisioned' };

/** Of every setting, what it may not be, and what is said then. */
const WRONG: readonly (readonly [context: Record<string, unknown>, says: string])[] = [
  [{ stackName: 'a b' }, 'a b'],
  [{ stackName: '' }, 'the context stackName is ""'],
  [{ prefix: 'Upper' }, 'the prefix Upper is not up to 24 lower-case letters'],
  [{ prefix: '' }, 'the context prefix is ""'],
  [{ stackName: 'A-name-that-is-too-long-for-a-prefix' }, 'choose another one with -c prefix='],
  [{ principals: 'me' }, 'me is not the ARN of an IAM user or role'],
  [{ members: 'own,us' }, 'us is not the ARN of an IAM user or role'],
  [{ streaming: 'no' }, 'the context streaming is "no", and neither true nor false'],
  [{ destroyable: 'yes' }, 'the context destroyable is "yes"'],
  [{ destroyable: '' }, 'the context destroyable is ""'],
  [{ dashboard: 'off' }, 'the context dashboard is "off"'],
  [{ placement: 'winnow' }, 'the context placement is "winnow", and neither true nor false'],
  [{ schedulerName: '' }, 'the context schedulerName is ""'],
  [{ addedAffinity: '' }, 'the context addedAffinity is ""'],
  [{ hardPodAffinityWeight: '101' }, 'the context hardPodAffinityWeight is "101"'],
  [{ hardPodAffinityWeight: '' }, 'the context hardPodAffinityWeight is ""'],
  [{ auditPolicy: 7 }, 'the context auditPolicy is 7, and not a text'],
  [{ auditQueue: '' }, 'the context auditQueue is ""'],
  [{ authenticationConfig: true }, 'the context authenticationConfig is true, and not a text'],
  [{ canary: 'on' }, 'the context canary is "on", and neither true nor false'],
  [{ serviceAccountTokens: 'on' }, 'the context serviceAccountTokens is "on", and neither true nor false'],
  [{ watchesPerUser: '0' }, 'the watches that one user may have are "0", and not a whole number from 1'],
  [{ watchesPerUser: 1_001 }, 'the watches that one user may have are 1001'],
  [{ watchesPerUser: '' }, 'the watches that one user may have are ""'],
  [{ logLevel: 'debug' }, 'the context logLevel is debug, and none of TRACE, DEBUG'],
  [{ derived: 'status,slices' }, 'nothing is derived that is called slices'],
  [{ serviceClusterIPRange: '10.64.0.0' }, 'the range of clusterIPs is "10.64.0.0", and not an IPv4 network'],
  [{ serviceClusterIPRange: 'fd00::/108' }, 'and not an IPv4 network such as 10.96.0.0/12'],
  [{ serviceClusterIPRange: '10.0.0.0/8' }, 'it is too large, from /12 to /29 will do'],
  [{ tableStream: 'Restored' }, "Restored is not the ARN of a table's stream"],
  [{ key: 'mine' }, 'the key mine is neither managed nor the ARN of a KMS key'],
  [{ billing: 'cheap' }, 'the context billing is cheap, and neither on-demand nor provisioned'],
  [{ billing: '' }, 'the context billing is '],
  [{ readCapacity: '5-10' }, 'the context readCapacity is for billing=provisioned only'],
  [{ ...provisioned, readCapacity: 5 }, 'the context readCapacity is 5, and not <minimum>-<maximum>'],
  [{ ...provisioned, readCapacity: '0-5' }, 'the context readCapacity is 0-5'],
  [{ ...provisioned, writeCapacity: '50-5' }, 'the context writeCapacity is 50-5'],
  [{ ...provisioned, targetUtilization: 'high' }, 'the context targetUtilization is high'],
  [{ ...provisioned, targetUtilization: 91 }, 'the context targetUtilization is 91, and not a percentage'],
  [{ targetUtilization: 50 }, 'the context targetUtilization is for billing=provisioned only'],
  [{ emulator: 'moto' }, 'there is no emulator moto; known are ministack, localstack'],
  [{ stsEndpoint: '' }, 'the context stsEndpoint is ""'],
  [{ stsEndpoint: true }, 'the context stsEndpoint is true'],
  [{ stsEndpoint: 'https://sts.example' }, 'stsEndpoint is for emulators on loopback only'],
];

/** As `infra/app.ts` does. */
function deploy(bundles: string, context: Record<string, unknown>): WinnowStack {
  const app = new App({ context, analyticsReporting: false });
  const { stackName, principals = [], emulator, ...chosen } = readSettings(app.node);
  return new WinnowStack(app, stackName, { ...chosen, bundles, principals, emulator });
}

describe('a setting', () => {
  it.each(WRONG)('%j is refused in words', async (context, says) => {
    await withBundles(async (bundles) => expect(() => deploy(bundles, context)).toThrow(says));
  });

  it('has a wrong value in this test, and a row in docs/deploy/README.md', () => {
    const rows = readFileSync(join(root, 'docs', 'deploy', 'README.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm);
    const documented = [...rows].map(([, name]) => name);
    expect(documented.sort()).toEqual(asked());
    expect(new Set(WRONG.flatMap(([context]) => Object.keys(context)))).toEqual(new Set(asked()));
  });

  it("that there is not is found, and what is the CDK's is not taken for one", () => {
    const known = Object.fromEntries(asked().map((name) => [name, 'x']));
    const others = { 'aws:cdk:version-reporting': true, '@aws-cdk/core:flag': true, 'cli-telemetry': false };
    const { node } = new App({ context: { ...known, ...others, destroyabel: 'true' } });
    expect(unknownSettings(node)).toEqual(['destroyabel']);
  });

  it('is read in settings.ts and billing.ts, and nowhere else', () => {
    const files = globSync('infra/**/*.ts', { cwd: root });
    const reading = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('tryGetContext'));
    expect(reading.sort()).toEqual(['infra/billing.ts', 'infra/settings.ts']);
  });
});

/** The names of the context that are asked for. */
function asked(): string[] {
  const { node } = new App();
  const names = new Set<string>();
  const read = node.tryGetContext.bind(node);
  node.tryGetContext = (name) => {
    names.add(name);
    return read(name);
  };
  readSettings(node);
  return [...names].sort();
}
