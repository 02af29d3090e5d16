import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { marksReader } from '../../../functions/outgoing/index.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { markFollowed } from '../../../lib/store/index.ts';
import { startTable, type TestTable } from '../../support/store/table.ts';

const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};
const [PODS, NODES]: readonly [Collection, Collection] = ['core/pods', 'core/nodes'];

let table: TestTable;
const before = { ...process.env };
const warnings: string[] = [];
const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
const marked = async (...collections: readonly Collection[]) => [
  ...(await marksReader({ tableName: 'winnow', logger })(collections)),
];

beforeAll(async () => {
  table = await startTable();
});

afterEach(() => {
  process.env = { ...before };
  warnings.length = 0;
});

afterAll(() => table.stop());

it('the relay reads which collections are marked as followed', async () => {
  Object.assign(process.env, ENVIRONMENT, { AWS_ENDPOINT_URL_DYNAMODB: table.endpoint });
  expect(await marked(PODS, NODES)).toEqual([]);
  await markFollowed(table.table, PODS);
  expect(await marked(PODS, NODES)).toEqual([PODS]);
  const many = Array.from({ length: 150 }, (_, index) => `example.com/kind${index}` as const);
  // It asks about a hundred, and takes the others to be marked.
  expect(await marked(...many)).toEqual(many.slice(100));
  expect(warnings).toEqual([]);
});

it('the relay takes all collections to be marked if it cannot read the marks', async () => {
  Object.assign(process.env, ENVIRONMENT, { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' });
  expect(await marked(PODS, NODES)).toEqual([PODS, NODES]);
  expect(warnings).toEqual(['the marks of collections were not read; hints are sent for all of them']);
});
