import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock as clock } from '../../../lib/platform/index.ts';
import { KNOWN_SCHEMAS, raiseSchema } from '../../../lib/store/index.ts';
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
