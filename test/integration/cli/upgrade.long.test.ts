import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock as clock } from '../../../lib/platform/index.ts';
import { raiseSchema } from '../../../lib/store/index.ts';
import { schemaKey } from '../../../lib/store/keys.ts';
import { winnowWith } from '../../support/service/run-cli.ts';
import { startTable, type TestTable } from '../../support/store/table.ts';

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

it('winnow upgrade says what there is to raise, raises it, and then that it is too old for the table', async () => {
  expect(await upgrade()).toEqual([
    'Rows are written in version 1 of their schema.',
    'This Winnow knows version 2. With --raise it is written, and there is no way back to an older Winnow.',
  ]);
  for (const options of [['--raise'], ['--raise'], []]) {
    const [said, advice] = await upgrade(...options);
    expect(said).toMatch(/^Rows are written in version 1 of their schema, and in version 2 from \S+ on\.$/);
    expect(advice).toBe('Who does not know version 2 does nothing with the table any more.');
  }
  await started.table.put({ ...schemaKey, version: 2, from: 0 });
  expect(await upgrade('--raise')).toEqual([
    'Rows are written in version 2 of their schema.',
    'This Winnow knows none above it: there is nothing to raise.',
  ]);
  await raiseSchema({ table: started.table, clock, known: { oldest: 1, newest: 3 }, notice: 0 });
  const [said, advice] = await upgrade('--raise');
  expect(said).toContain('in version 3 of their schema.');
  expect(advice).toContain('This Winnow knows none above 2');
});

it('winnow restore does nothing with a table whose rows it does not know', async () => {
  const { code, errors } = await winnowWith(env, 'restore', '--table', 'winnow');
  expect(code).toBe(1);
  expect(errors).toContain('written in version 3 of their schema');
});
