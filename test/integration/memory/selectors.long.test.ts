import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { leastPosition } from '../../../lib/delivery/index.ts';
import { readShards } from '../../../lib/delivery/shards/index.ts';
import { objectAt } from '../../../lib/json/index.ts';
import {
  systemClock as clock,
  ENVIRONMENT,
  type FunctionName,
  mapBounded,
} from '../../../lib/platform/index.ts';
import { createDynamoTable } from '../../../lib/store/dynamodb/index.ts';
import { subscriptionKey, type Table } from '../../../lib/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { invokeAlone, queueEvent } from '../../support/service/lone-function.ts';
import { type Service, startService } from '../../support/service/service.ts';

/** This many Subscriptions of one tenant crash dispatch if its shards do not split by memory. */
const COUNT = 150;
/** The size in bytes that a selector could have before it had a limit. An upgrade keeps such selectors. */
const LONGEST = 150_000;
const COLLECTION = 'core/pods';
const PATH = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
/** The number of shards whose hints come in one batch. */
const BATCH = 10;

let service: Service;
let table: Table;
const held = new Set<FunctionName>();

beforeAll(async () => {
  const beforeInvoke = async (name: FunctionName) => {
    if (held.has(name)) throw new Error(`${name} runs alone`);
  };
  service = await startService({ fault: { beforeInvoke } });
  const { winnow } = service;
  const tableName = winnow.environment[ENVIRONMENT.table] ?? '';
  table = createDynamoTable({ tableName, clock, config: winnow.dynamodbClientConfig });
});
afterAll(() => service.stop());

/** A selector of short keys, which costs the match index most memory. Each Subscription has different keys. */
function keys(at: number): string {
  let text = `k${at}`;
  for (let next = 0; text.length < LONGEST - 12; next += 1) text += `,${(at * 40_000 + next).toString(36)}`;
  return text;
}

async function uidOf(name: string): Promise<string> {
  const { body } = await service.http.get(`${PATH}/${name}`);
  return String(objectAt(body.metadata).uid);
}

/** Creates rows of synced Subscriptions, as a release without the limit left them. Dispatch reads only the rows. */
async function letInBefore(likeThis: string): Promise<void> {
  const row = await table.get(subscriptionKey(COLLECTION, likeThis));
  if (row === undefined) throw new Error('there is no row to copy');
  await mapBounded([...Array(COUNT).keys()], 8, async (at) => {
    const uid = randomUUID();
    await table.put({ ...row, ...subscriptionKey(COLLECTION, uid), name: `s${at}`, selector: keys(at) });
  });
}

/** Runs rounds of all shards that are behind, in batches, in processes with the memory of the function. */
async function dispatchAlone(rv: number): Promise<void> {
  const shards = (await readShards(table, COLLECTION)).filter(({ position }) => position < rv);
  for (let at = 0; at < shards.length; at += BATCH) {
    const hints = shards.slice(at, at + BATCH).map(({ group }) => ({ collection: COLLECTION, group, rv }));
    const { peak, memory } = await invokeAlone('dispatch', queueEvent(...hints));
    expect(Math.min(memory, peak)).toBeGreaterThan(0);
    expect(peak).toBeLessThanOrEqual(memory);
  }
}

it('dispatch serves other tenants although the selectors of one tenant take 22 MB', async () => {
  const spec = { resource: { resource: 'pods' }, labelSelector: 'app=web' };
  const other = await service.subscribe('other', spec);
  await service.subscribe('tenant', spec);
  const body = { metadata: { name: 'now' }, spec: { ...spec, labelSelector: keys(0) } };
  expect((await service.http.send('POST', PATH, { body })).status).toBe(422);
  held.add('dispatch').add('reconcile');
  await letInBefore(await uidOf('tenant'));
  const pod = {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  const created = await service.http.send('POST', '/api/v1/namespaces/default/pods', { body: pod });
  const rv = Number(objectAt(created.body.metadata).resourceVersion);
  // Hints that a batch has no time for come again, and each round splits shards or moves cursors.
  for (let before = ''; (await leastPosition({ table }, COLLECTION)) < rv; ) {
    await dispatchAlone(rv);
    const now = JSON.stringify(await readShards(table, COLLECTION));
    expect(now).not.toBe(before);
    before = now;
  }
  expect((await readShards(table, COLLECTION)).length).toBeGreaterThan(BATCH);
  await other.read();
  await eventually('the other tenant has its change', async () =>
    other.events.some(({ type, object }) => type === 'ADDED' && objectAt(object.metadata).name === 'web'),
  );
});
