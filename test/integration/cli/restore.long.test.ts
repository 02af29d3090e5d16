import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  ScanCommand,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { systemClock as clock, systemRandom as random, silentLogger } from '../../../lib/platform/index.ts';
import { everything, parseSelector } from '../../../lib/selectors/index.ts';
import { createDynamoTable } from '../../../lib/store/dynamodb/index.ts';
import {
  createStore,
  eachPage,
  type ObjectState,
  RestoreLock,
  readRestoreProgress,
  type Store,
} from '../../../lib/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { run, winnowWith } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { tableDefinition } from '../../support/store/table.ts';

const PODS: Collection = 'core/pods';
const PATH = '/api/v1/namespaces/default/pods';
const COPY = 'copy';
const KEYS = Array.from({ length: 18 }, (_, at) => `k${at}`);
const BIN = join(import.meta.dirname, '../../../bin/winnow.js');

let service: Service;
let client: DynamoDBClient;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  service = await startService();
  const { dynamodbClientConfig: config } = service.winnow;
  client = new DynamoDBClient({ ...config });
  env = {
    AWS_ENDPOINT_URL_DYNAMODB: config.endpoint,
    AWS_REGION: config.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
});

afterAll(async () => {
  client?.destroy();
  await service?.stop();
});

const stateOf = (step: number) => ({
  metadata: {
    name: `p-${step % 9}`,
    labels: Object.fromEntries(KEYS.map((key, at) => [key, (step + at) % 3 === 0 ? 'x' : 'y'])),
  },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

/** Writes one object after the other until `until` returns true. */
async function write(until: () => boolean): Promise<void> {
  for (let step = 0; !until(); step += 1) {
    const { metadata, spec } = stateOf(step);
    const answer = await service.http.send('POST', PATH, { body: { metadata, spec } });
    if (answer.status !== 409) continue;
    if (step % 5 === 0) {
      await service.http.delete(`${PATH}/${metadata.name}?gracePeriodSeconds=0`);
    } else {
      await service.http.merge(`${PATH}/${metadata.name}`, { metadata: { labels: metadata.labels } });
    }
  }
}

/** Copies every row in small pages, so that each page shows another moment. */
async function copyTable(from: string): Promise<void> {
  await client.send(new CreateTableCommand({ ...tableDefinition, TableName: COPY }));
  let key: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page: ScanCommandOutput = await client.send(
      new ScanCommand({ TableName: from, Limit: 20, ...(key && { ExclusiveStartKey: key }) }),
    );
    const requests = (page.Items ?? []).map((Item) => ({ PutRequest: { Item } }));
    if (requests.length > 0) {
      await client.send(new BatchWriteItemCommand({ RequestItems: { [COPY]: requests } }));
    }
    key = page.LastEvaluatedKey;
  } while (key !== undefined);
}

async function listed(store: Store, text = ''): Promise<string[]> {
  const found: ObjectState[] = [];
  const selector = text === '' ? everything : parseSelector(text);
  for await (const { items } of eachPage(store, PODS, { selector })) found.push(...items);
  return found.map(({ name, rv }) => `${name.name}@${rv}`);
}

it('winnow restore repairs a copy of a live table although it is killed, and reports its progress', async () => {
  const name = String(service.winnow.environment.WINNOW_TABLE);
  let isOver = false;
  const writing = write(() => isOver);
  await eventually('some writes', async () => Number(await service.http.version(PATH)) > 60);
  await copyTable(name);
  isOver = true;
  await writing;
  const lost = Number(await service.http.version(PATH));

  const table = createDynamoTable({ tableName: COPY, clock, config: service.winnow.dynamodbClientConfig });
  const killed = spawn(process.execPath, [BIN, 'restore', '--table', COPY], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  await eventually('it began', async () => (await readRestoreProgress(table)) !== undefined);
  killed.kill('SIGKILL');
  const { code, out, errors } = await winnowWith(env, 'restore', '--table', COPY);
  expect([code, errors]).toEqual([0, '']);
  expect(out).toContain('whether that run is still alive');
  expect(out).toContain('Continuing with:');
  expect(out).toContain('point-in-time recovery');
  expect(out).toContain('cdk deploy -c tableStream=');

  const store = createStore({ table, clock, random, logger: silentLogger });
  expect(await store.head(PODS)).toBeGreaterThan(lost);
  const all: ObjectState[] = [];
  for await (const { items } of eachPage(store, PODS, { selector: everything })) all.push(...items);
  expect(all.length).toBeGreaterThan(0);
  for (const key of KEYS) {
    const selector = parseSelector(`${key}=x`);
    const expected = all.filter(({ labels }) => selector.matches(labels));
    expect(await listed(store, `${key}=x`)).toEqual(expected.map(({ name: one, rv }) => `${one.name}@${rv}`));
  }
});

it('winnow restore refuses a table that another restore works on, and continues after that one has ended', async () => {
  const table = createDynamoTable({ tableName: COPY, clock, config: service.winnow.dynamodbClientConfig });
  const { id = '' } = (await readRestoreProgress(table)) ?? {};
  const turn = await RestoreLock.take({ id, table, clock, random, say: () => {} });
  const { code, errors } = await winnowWith(env, 'restore', '--table', COPY);
  expect([code, errors]).toEqual([1, expect.stringContaining('another restore of this table is under way')]);
  await turn.end();
  const again = await winnowWith(env, 'restore', '--table', COPY);
  expect([again.code, again.errors]).toEqual([0, '']);
  expect(again.out).toContain('This copy is already repaired.');
});

it('winnow restore refuses a table that a stack uses', async () => {
  const name = String(service.winnow.environment.WINNOW_TABLE);
  const table = createDynamoTable({ tableName: name, clock, config: service.winnow.dynamodbClientConfig });
  const { code, errors } = await winnowWith(env, 'restore', '--table', name);
  expect([code, errors]).toEqual([1, expect.stringContaining(`${name} has a stream`)]);
  expect(await readRestoreProgress(table)).toBeUndefined();
});

it('winnow restore refuses a table that does not exist', async () => {
  const { code, errors } = await run(process.execPath, [BIN, 'restore', '--table', 'none'], { env });
  expect([code, errors]).toEqual([1, expect.stringContaining('the table none does not exist')]);
});
