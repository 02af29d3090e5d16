import { beforeEach, describe, expect, it } from '@jest/globals';
import { targetResources } from '../../../lib/api/index.ts';
import { cursorKey, type JsonObject, objectAt, subscriptionKey } from '../../../lib/store/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/watch/own-collections.ts';
import { readSubscription } from '../../../lib/watch/subscription.ts';
import { firstRow, parseState, type SubscriptionState } from '../../../lib/watch/subscription-state.ts';
import { withPosition, writeSubscriptionStatus } from '../../../lib/watch/subscription-status.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { openStore } from '../../support/store/store-fixture.ts';

const PODS = 'core/pods';
const name = { namespace: 'default', name: 'sub' };
const body: JsonObject = {
  metadata: { ...name, uid: 'u' },
  spec: { resource: { group: '', resource: 'pods' } },
};
let clock: VirtualClock;
let table: ReturnType<typeof createMemoryTable>;
let store: ReturnType<typeof openStore>;

beforeEach(async () => {
  clock = createVirtualClock();
  table = createMemoryTable();
  store = openStore(table, clock);
  await store.write(SUBSCRIPTIONS, name, () => ({ kind: 'put', body }));
});

function stateOf(more: Partial<SubscriptionState> = {}): SubscriptionState {
  const spec = readSubscription(body, targetResources);
  const row = firstRow({ name, uid: 'u', spec, generation: 4, queueName: 'q', head: 9 });
  return { ...parseState(row, spec.target), queueUrl: 'https://q', ...more };
}

async function statusAfter(more: Partial<SubscriptionState>): Promise<JsonObject> {
  await writeSubscriptionStatus({ store, clock }, name, stateOf(more));
  return objectAt((await store.get(SUBSCRIPTIONS, name))?.body.status);
}

const readyIn = (status: JsonObject) => objectAt((status.conditions as JsonObject[])[0]);

describe('the status of a subscription', () => {
  it.each<[string, Partial<SubscriptionState>, JsonObject]>([
    [
      'Synced',
      { membership: 'synced', failures: 3, queueUrl: '' },
      { status: 'True', message: 'changes are sent as they happen' },
    ],
    ['Pending', { queueUrl: '', failures: 3 }, { status: 'False', message: 'catching up with the journal' }],
    ['Failing', { failures: 1, failure: 'refused' }, { status: 'False', message: 'refused' }],
    ['CatchingUp', { failures: 0 }, { status: 'False', message: 'catching up with the journal' }],
  ])('is %s', async (phase, state, condition) => {
    const status = await statusAfter(state);
    expect(status).toMatchObject({ phase, observedGeneration: 4 });
    expect(readyIn(status)).toMatchObject({ ...condition, type: 'Ready', reason: phase });
  });

  it('tells since when it is ready or not, whatever else changes', async () => {
    const since = async (more: Partial<SubscriptionState>) =>
      readyIn(await statusAfter(more)).lastTransitionTime;
    expect(await since({})).toBe('2026-01-01T00:00:00Z');
    clock.advance(60_000);
    expect(await since({ failures: 1 })).toBe('2026-01-01T00:00:00Z');
    expect(await since({ membership: 'synced' })).toBe('2026-01-01T00:01:00Z');
    clock.advance(60_000);
    expect(await since({ membership: 'ready' })).toBe('2026-01-01T00:02:00Z');
  });

  it('is written only where it differs, and only to the object that it is of', async () => {
    await statusAfter({});
    const head = await store.head(SUBSCRIPTIONS);
    clock.advance(60_000);
    await statusAfter({ position: 12 });
    await statusAfter({ uid: 'another', failures: 1 });
    const gone = { namespace: 'default', name: 'gone' };
    await writeSubscriptionStatus({ store, clock }, gone, stateOf());
    expect(await store.head(SUBSCRIPTIONS)).toBe(head);
  });
});

describe('the position of a subscription', () => {
  const shown = async (of: JsonObject = body) => objectAt((await withPosition(table, of)).status).position;
  const put = (membership: string, position: number) =>
    table.put({ ...subscriptionKey(PODS, 'u'), membership, position });

  it('is not shown of one that has no row, or selects what there is not', async () => {
    expect(await withPosition(table, body)).toBe(body);
    const other = { ...body, spec: { resource: { group: 'none', resource: 'such' } } };
    expect(await withPosition(table, other)).toBe(other);
  });

  it('is its own, or that of all who are synced, where that is farther', async () => {
    await put('synced', 5);
    expect(await shown()).toBe('5');
    await table.put({ ...cursorKey(PODS), position: 8 });
    expect(await shown()).toBe('8');
    await put('synced', 12);
    expect(await shown()).toBe('12');
    await put('catching-up', 5);
    expect(await shown()).toBe('5');
    expect(await shown({ ...body, spec: { resource: { resource: 'pods' } } })).toBe('5');
  });

  it('is read at once with the cursor', async () => {
    await put('synced', 5);
    let underway = 0;
    const get: typeof table.get = async (key) => {
      underway += 1;
      await new Promise(setImmediate);
      expect(underway).toBe(2);
      return table.get(key);
    };
    await withPosition({ ...table, get }, body);
  });
});

describe('the position of a subscription that catches up', () => {
  it.each([
    ['journal', '', '9'],
    ['difference', '', '0'],
    ['difference', '{}', '9'],
  ])('is told where all up to it was sent: in %s, from %j', async (step, from, position) => {
    const spec = readSubscription(body, targetResources);
    const row = firstRow({ name, uid: 'u', spec, generation: 4, queueName: 'q', head: 9 });
    await table.put({ ...row, step, from });
    expect(objectAt((await withPosition(table, body)).status).position).toBe(position);
  });
});
