import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import {
  chosenSettings,
  overridesOf,
  readConfigFile,
  readSettings,
  SETTINGS,
  SETTINGS_SCHEMA,
  type Setting,
  type Settings,
  settingsSchema,
} from '../../../infra/settings/index.ts';

const entries = Object.entries<Setting<unknown>>(SETTINGS);
const node = (context: Record<string, unknown> = {}) => new App({ context }).node;

/** For each setting, a value that is not its default: in a file, on the command line, and as it is read. */
const VALUES: Readonly<Record<keyof Settings, readonly [file: unknown, context: string, read: unknown]>> = {
  stackName: ['Other', 'Other', 'Other'],
  prefix: ['mine', 'mine', 'mine'],
  principals: [['arn:aws:iam::111122223333:role/A', 'b'], 'arn:aws:iam::111122223333:role/A,b', undefined],
  members: [['own', '111122223333'], 'own,111122223333', undefined],
  streaming: [false, 'false', false],
  destroyable: [true, 'true', true],
  dashboard: [true, 'true', true],
  placement: [true, 'true', true],
  schedulerName: ['mine', 'mine', 'mine'],
  addedAffinity: ['a.yaml', 'a.yaml', 'a.yaml'],
  hardPodAffinityWeight: [0, '0', 0],
  logLevel: ['WARN', 'WARN', 'WARN'],
  derived: [['status', 'leases'], 'status,leases', undefined],
  serviceClusterIPRange: ['10.64.0.0/16', '10.64.0.0/16', '10.64.0.0/16'],
  tableStream: ['arn', 'arn', 'arn'],
  key: ['managed', 'managed', 'managed'],
  webhooks: ['webhooks.yaml', 'webhooks.yaml', 'webhooks.yaml'],
  auditPolicy: ['audit.yaml', 'audit.yaml', 'audit.yaml'],
  auditQueue: ['arn', 'arn', 'arn'],
  auditLogRetention: [365, '365', 365],
  auditLogKey: ['managed', 'managed', 'managed'],
  authenticationConfig: ['a.yaml', 'a.yaml', 'a.yaml'],
  serviceAccountTokens: [true, 'true', true],
  serviceAccountAdmission: [false, 'false', false],
  canary: [true, 'true', true],
  historyDays: [7, '7', 7],
  watchesPerUser: [20, '20', 20],
  requestsPerUser: ['5/20', '5/20', '5/20'],
  authorNotSeenAfter: ['12h', '12h', '12h'],
  requestRate: [50, '50', 50],
  requestBurst: [60, '60', 60],
  vpcEndpoints: [['vpce-12345678'], 'vpce-12345678', undefined],
  allowedSources: [['10.0.0.0/8', '::/0'], '10.0.0.0/8,::/0', undefined],
  webAcl: ['arn', 'arn', 'arn'],
  reservedConcurrency: ['on', 'on', 'on'],
  billing: ['provisioned', 'provisioned', 'provisioned'],
  readCapacity: ['6-60', '6-60', { minimum: 6, maximum: 60 }],
  writeCapacity: ['7-70', '7-70', { minimum: 7, maximum: 70 }],
  targetUtilization: [50, '50', 50],
  warmWriteUnits: [8_000, '8000', 8_000],
  configFile: [undefined, 'other.json', 'other.json'],
  confirmChange: [undefined, 'key,principals', ['key', 'principals']],
  emulator: ['ministack', 'ministack', 'ministack'],
  consumers: ['444455556666', '444455556666', '444455556666'],
  enforceLimits: [true, 'true', true],
  selectorBytes: [2_000, '2000', 2_000],
  selectorBytesPerNamespace: [20_000, '20000', 20_000],
  selectorBytesPerCollection: [200_000, '200000', 200_000],
  subscriptionsPerNamespace: [20, '20', 20],
  talliesPerNamespace: [20, '20', 20],
  stsEndpoint: ['http://127.0.0.1:1', 'http://127.0.0.1:1', 'http://127.0.0.1:1'],
};

/** Reads a text as a config file. */
async function reading(text: string): Promise<Awaited<ReturnType<typeof readConfigFile>>> {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-config-'));
  try {
    const path = join(folder, 'winnow.config.json');
    writeFileSync(path, text);
    return await readConfigFile(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const written = (values: object) => reading(JSON.stringify(values));

describe('A setting in a file', () => {
  it.each(entries)(
    'the setting %s has the same value from the file and from the command line',
    async (name, setting) => {
      const [inFile, inContext, read = inFile] = VALUES[name as keyof Settings];
      expect(read).not.toEqual(setting.fallback);
      expect(readSettings(node({ [name]: inContext }))).toMatchObject({ [name]: read });
      if (inFile === undefined) {
        await expect(written({ [name]: read })).rejects.toThrow(
          `${name} is allowed on the command line only`,
        );
        return;
      }
      const file = await written({ $schema: './schema.json', [name]: inFile });
      const settings = readSettings(node(), file);
      expect(settings).toMatchObject({ [name]: read });
      expect(chosenSettings(settings)).toEqual({ [name]: inFile });
      expect(overridesOf(node(), file)).toEqual([]);
    },
  );

  it('a setting of the command line overrides that of the file, which is reported', async () => {
    const file = await written({ placement: true, canary: true });
    const { node: context } = new App({ context: { placement: 'false', dashboard: 'false' } });
    expect(readSettings(context, file)).toMatchObject({ placement: false, canary: true, dashboard: false });
    expect(overridesOf(context, file)).toEqual([`-c placement=false overrides true of ${file?.path}`]);
  });
});

describe('the config file', () => {
  it.each<[string, string]>([
    ['{ "destroyabel": true }', 'unknown setting destroyabel; did you mean destroyable?'],
    ['{ "Principals": [] }', 'unknown setting Principals; did you mean principals?'],
    ['{ "xyzzy": 1 }', 'unknown setting xyzzy'],
    ['{ "placement": "true" }', 'the setting placement is "true": it must be of the JSON type boolean'],
    ['{ "watchesPerUser": "20" }', 'the setting watchesPerUser is "20": it must be of the JSON type integer'],
    ['{ "watchesPerUser": 0 }', 'the setting watchesPerUser is 0: it must be a whole number from 1 to 1000'],
    ['{ "principals": "a,b" }', 'the setting principals is "a,b": it must be of the JSON type array'],
    ['{ "key": null }', 'the setting key is null: it must be a string'],
    ['{ "logLevel": "debug" }', 'the setting logLevel is "debug": it must be one of TRACE'],
    ['[]', 'it must hold a JSON object'],
    ['{', 'JSON'],
  ])('a config file with %s is refused, with its name and the reason', async (text, says) => {
    const refusal = reading(text).then((file) => readSettings(node(), file));
    await expect(refusal).rejects.toThrow(says);
    await expect(refusal).rejects.toThrow(/winnow\.config\.json: /);
  });

  it('a config file must exist if it is named, and is optional otherwise', async () => {
    await expect(readConfigFile(join(tmpdir(), 'none', 'winnow.config.json'))).rejects.toThrow(
      'cannot be read',
    );
    const folder = process.cwd();
    const empty = mkdtempSync(join(tmpdir(), 'winnow-config-'));
    try {
      process.chdir(empty);
      await expect(readConfigFile(undefined)).resolves.toBeUndefined();
    } finally {
      process.chdir(folder);
      rmSync(empty, { recursive: true });
    }
  });

  it('the schema that `npm run settings` writes describes the config file', () => {
    expect(JSON.parse(readFileSync(SETTINGS_SCHEMA, 'utf8'))).toEqual(settingsSchema());
    const { properties } = settingsSchema() as { properties: Record<string, { description: string }> };
    const names = entries.filter(([, { onlyContext }]) => !onlyContext).map(([name]) => name);
    expect(Object.keys(properties)).toEqual(['$schema', ...names]);
  });
});
