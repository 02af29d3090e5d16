import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock as clock } from '../../../lib/platform/index.ts';
import { raiseSchema } from '../../../lib/store/index.ts';
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

it('winnow upgrade says that there is nothing to raise, and then that it is too old for the table', async () => {
  for (const options of [[], ['--raise']]) {
    const { code, out } = await winnowWith(env, 'upgrade', '--table', 'winnow', ...options);
    expect(code).toBe(0);
    expect(out.trim().split(/\n */)).toEqual([
      'Rows are written in version 1 of their schema.',
      'This Winnow knows none above it: there is nothing to raise.',
    ]);
  }
  await raiseSchema({ table: started.table, clock, known: { oldest: 1, newest: 2 }, notice: 0 });
  const { out } = await winnowWith(env, 'upgrade', '--table', 'winnow', '--raise');
  expect(out).toContain('in version 2 of their schema.');
  expect(out).toContain('This Winnow knows none above 1');
});

it('winnow restore does nothing with a table whose rows it does not know', async () => {
  const { code, errors } = await winnowWith(env, 'restore', '--table', 'winnow');
  expect(code).toBe(1);
  expect(errors).toContain('written in version 2 of their schema');
});
