import { beforeEach, describe, expect, it } from '@jest/globals';
import { firstRow } from '../../../lib/delivery/subscription/subscription-state.ts';
import { withProgress } from '../../../lib/delivery/subscription-progress.ts';
import { type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { readSubscription } from '../../../lib/kubernetes/winnow/subscription.ts';
import { cursorKey, headKey, subscriptionKey } from '../../../lib/store/index.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const PODS = 'core/pods';
const name = { namespace: 'default', name: 'sub' };
const body: JsonObject = {
  metadata: { ...name, uid: 'u' },
  spec: { resource: { group: '', resource: 'pods' } },
};
let { table, clock, store } = createMemoryStore();

beforeEach(() => {
  ({ table, clock, store } = createMemoryStore());
});

const statusOf = async (of: JsonObject = body) => objectAt((await withProgress({ table, clock }, of)).status);
const put = (membership: string, position: number, more = {}) =>
  table.put({ ...subscriptionKey(PODS, 'u'), membership, position, step: 'journal', ...more });
const write = (pod: string) =>
  store.write(PODS, { namespace: 'default', name: pod }, () => ({
    kind: 'put',
    body: { metadata: { namespace: 'default', name: pod, uid: pod } },
  }));

describe('the progress of a subscription', () => {
  it('a subscription without a row, or of an unknown resource, shows no progress', async () => {
    expect(await withProgress({ table, clock }, body)).toBe(body);
    const other = { ...body, spec: { resource: { group: 'none', resource: 'such' } } };
    expect(await withProgress({ table, clock }, other)).toBe(other);
  });

  it('the progress is read in one request', async () => {
    await put('synced', 5);
    let requests = 0;
    const counted: typeof table = {
      ...table,
      batchGet: (keys) => {
        requests += 1;
        return table.batchGet(keys);
      },
      get: () => Promise.reject(new Error('another request')),
    };
    expect(await withProgress({ table: counted, clock }, body)).toHaveProperty('status.position', '5');
    expect(requests).toBe(1);
  });

  it('the position is that of the row, or that of the cursor for a synced subscription if it is larger', async () => {
    await put('synced', 5);
    expect(await statusOf()).toMatchObject({ position: '5' });
    await table.put({ ...cursorKey(PODS), position: 8 });
    expect(await statusOf()).toMatchObject({ position: '8' });
    await put('synced', 12);
    expect(await statusOf()).toMatchObject({ position: '12' });
    await put('catching-up', 5);
    expect(await statusOf()).toMatchObject({ position: '5' });
    expect(await statusOf({ ...body, spec: { resource: { resource: 'pods' } } })).toMatchObject({
      position: '5',
    });
  });

  it.each([
    ['journal', '', '9'],
    ['difference', '', '0'],
    ['difference', '{}', '9'],
  ])('in the step %s, from %j, the position covers all that was sent', async (step, from, position) => {
    const spec = readSubscription(body, targetResources);
    const row = firstRow({ name, uid: 'u', spec, generation: 4, queueName: 'q', head: 9 });
    await table.put({ ...row, step, from });
    const status = await statusOf();
    expect(status).toMatchObject({ position });
    expect(status.lag).toEqual(position === '0' ? undefined : { changes: 0, seconds: 0 });
  });

  it('the lag gives the number of unsent changes and the age of the oldest', async () => {
    await write('a');
    await put('catching-up', 2);
    expect(await statusOf()).toMatchObject({ lag: { changes: 0, seconds: 0 } });
    await write('b');
    clock.advance(2_500);
    await write('c');
    expect(await statusOf()).toMatchObject({ position: '2', lag: { changes: 2, seconds: 2 } });
    await table.put({ ...cursorKey(PODS), position: 1 });
    expect(await statusOf()).toMatchObject({ position: '2', lag: { changes: 2, seconds: 2 } });
    await table.update(headKey(PODS), { set: { rv: 1 } });
    expect(await statusOf()).toMatchObject({ lag: { changes: 0, seconds: 0 } });
  });

  it('the progress gives the last known message counts of the queue and their time', async () => {
    await put('synced', 5);
    expect(await statusOf()).not.toHaveProperty('messages');
    await put('synced', 5, { waiting: 3, inFlight: 1, lookedAt: Date.UTC(2026, 0, 1) });
    expect(await statusOf()).toMatchObject({
      messages: { waiting: 3, inFlight: 1, asOf: '2026-01-01T00:00:00Z' },
    });
  });
});
