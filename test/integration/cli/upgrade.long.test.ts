import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { collectionOf, type JsonObject } from '../../../lib/json/index.ts';
import { systemClock as clock, systemRandom as random, silentLogger } from '../../../lib/platform/index.ts';
import { createStore, KNOWN_SCHEMAS, RULES_SCHEMA, raiseSchema } from '../../../lib/store/index.ts';
import { schemaKey } from '../../../lib/store/keys.ts';
import { winnowWith } from '../../support/service/run-cli.ts';
import { startTable, type TestTable, tableDefinition } from '../../support/store/table.ts';

const KEYS = { accessKeyId: 'local', secretAccessKey: 'local' };

let started: TestTable;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  started = await startTable();
  env = {
    AWS_ENDPOINT_URL_DYNAMODB: started.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
});

afterAll(async () => {
  await started?.stop();
});

const upgrade = async (...options: readonly string[]) => {
  const { code, out } = await winnowWith(env, 'upgrade', '--table', 'winnow', ...options);
  expect(code).toBe(0);
  return out.trim().split(/\n */);
};

it('winnow upgrade reports the schema version, raises it, and reports a table that is too new for it', async () => {
  expect(await upgrade()).toEqual([
    'The table uses row schema version 1.',
    'This release supports version 2. Raise it with --raise; after that no older release can use the table.',
  ]);
  for (const options of [['--raise'], ['--raise'], []]) {
    const [said, advice] = await upgrade(...options);
    expect(said).toMatch(/^The table uses row schema version 1, and version 2 from \S+ on\.$/);
    expect(advice).toBe('Releases that do not support version 2 now refuse to use this table.');
  }
  const { newest } = KNOWN_SCHEMAS;
  await started.table.put({ ...schemaKey, version: newest, from: 0 });
  expect(await upgrade('--raise')).toEqual([
    `The table uses row schema version ${newest}.`,
    'This release supports no later version: there is nothing to raise.',
  ]);
  await raiseSchema({ table: started.table, clock, known: { oldest: 1, newest: newest + 1 }, notice: 0 });
  const [said, advice] = await upgrade('--raise');
  expect(said).toContain(`row schema version ${newest + 1}.`);
  expect(advice).toContain(`This release supports versions up to ${newest}`);
});

it('winnow upgrade --raise lists the rules that begin to count, and stops where one does not compile or calls a place that is not permitted', async () => {
  const table = await startTable();
  const own = { ...env, AWS_ENDPOINT_URL_DYNAMODB: table.endpoint };
  const folder = await mkdtemp(join(tmpdir(), 'winnow-upgrade-'));
  const list = join(folder, 'webhooks.json');
  try {
    await table.table.put({ ...schemaKey, version: RULES_SCHEMA - 1, from: 0 });
    const store = createStore({ table: table.table, clock, random, logger: silentLogger });
    const put = (resource: string, body: JsonObject) =>
      store.write(
        collectionOf('admissionregistration.k8s.io', resource),
        { namespace: '', name: 'p' },
        () => ({ kind: 'put', body: { metadata: { name: 'p' }, ...body } }),
      );
    const rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
    const policy = (expression: string) =>
      put('validatingadmissionpolicies', {
        spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
      });
    await policy('object.x ==');
    await put('validatingadmissionpolicybindings', {
      spec: { policyName: 'p', validationActions: ['Deny'] },
    });
    const raise = (...more: readonly string[]) =>
      winnowWith(own, 'upgrade', '--table', 'winnow', '--raise', ...more);
    const stopped = await raise();
    expect(stopped.code).not.toBe(0);
    expect(stopped.errors).toContain('ValidatingAdmissionPolicy p: spec.validations[0].expression');
    await policy('true');
    await put('validatingwebhookconfigurations', {
      webhooks: [{ name: 'w.example.com', clientConfig: { url: 'https://a.example/x' } }],
    });
    const unlisted = await raise();
    expect(unlisted.code).not.toBe(0);
    expect(unlisted.errors).toContain('a.example is not among the webhook destinations of this deployment');
    await writeFile(list, JSON.stringify({ hosts: ['a.example'] }));
    const { out } = await raise('--webhooks', list);
    expect(out).toContain('which calls https://a.example/x');
    expect(out).toContain('From version 5 on, these rules decide writes:');
    expect(out).toContain('ValidatingAdmissionPolicy p, bound by p (Deny)');
    expect(out).toContain('and version 5 from');
  } finally {
    await rm(folder, { recursive: true });
    await table.stop();
  }
});

it.each(['restore', 'upgrade'])(
  'winnow %s reports what is wrong with the named table, which is not of Winnow',
  async (command) => {
    const client = new DynamoDBClient({ endpoint: started.endpoint, region: 'us-east-1', credentials: KEYS });
    await client.send(
      new CreateTableCommand({
        ...tableDefinition,
        TableName: `not-of-winnow-${command}`,
        GlobalSecondaryIndexes: undefined,
        AttributeDefinitions: tableDefinition.AttributeDefinitions.slice(0, 2),
      }),
    );
    client.destroy();
    const on = (table: string, more = {}) => winnowWith({ ...env, ...more }, command, '--table', table);
    expect(await on('none')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('the table none does not exist'),
    });
    expect(await on(`not-of-winnow-${command}`)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('lacks the indexes'),
    });
    expect(await on('winnow', { AWS_REGION: '' })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Set AWS_REGION'),
    });
  },
);

it('winnow restore refuses a table with an unknown schema version', async () => {
  const { code, errors } = await winnowWith(env, 'restore', '--table', 'winnow');
  expect(code).toBe(1);
  expect(errors).toContain(`have schema version ${KNOWN_SCHEMAS.newest + 1}`);
});
