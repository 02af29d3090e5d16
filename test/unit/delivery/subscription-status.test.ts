import { beforeEach, describe, expect, it } from '@jest/globals';
import { accessOf } from '../../../lib/delivery/subscription/queue-access.ts';
import {
  firstRow,
  parseState,
  type SubscriptionState,
} from '../../../lib/delivery/subscription/subscription-state.ts';
import { writeSubscriptionStatus } from '../../../lib/delivery/subscription/subscription-status.ts';
import { type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/own-collections.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { readSubscription } from '../../../lib/kubernetes/winnow/subscription.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { openStore } from '../../support/store/store-fixture.ts';

const name = { namespace: 'default', name: 'sub' };
const queueArns = 'arn:aws:sqs:eu-central-1:111122223333:';
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
  await writeSubscriptionStatus({ store, clock, queueArns }, name, stateOf(more));
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
    [
      'Suspended',
      { suspended: 4, failures: 1, failure: 'refused', generation: 3 },
      { status: 'False', message: 'delivery is suspended: spec.suspend is true' },
    ],
    ['CatchingUp', { failures: 0 }, { status: 'False', message: 'catching up with the journal' }],
  ])('the status has the phase %s', async (phase, state, condition) => {
    const status = await statusAfter(state);
    expect(status).toMatchObject({ phase, observedGeneration: 4 });
    expect(readyIn(status)).toMatchObject({ ...condition, type: 'Ready', reason: phase });
  });

  it('the condition Ready keeps its transition time until its status changes', async () => {
    const since = async (more: Partial<SubscriptionState>) =>
      readyIn(await statusAfter(more)).lastTransitionTime;
    expect(await since({})).toBe('2026-01-01T00:00:00Z');
    clock.advance(60_000);
    expect(await since({ failures: 1 })).toBe('2026-01-01T00:00:00Z');
    expect(await since({ membership: 'synced' })).toBe('2026-01-01T00:01:00Z');
    clock.advance(60_000);
    expect(await since({ membership: 'ready' })).toBe('2026-01-01T00:02:00Z');
  });

  const many = Array.from({ length: 22 }, (_, at) => `n${at}`);
  const permitted = 'ConsumersPermitted';
  const followed = 'NamespacesFollowed';
  it.each<[Partial<SubscriptionState>, unknown]>([
    [{ access: '' }, undefined],
    [{ access: accessOf({ arns: [] }) }, undefined],
    [{ access: 'some' }, [permitted, 'True', expect.anything()]],
    [{ access: '', accessFailure: 'no' }, [permitted, 'False', "the queue's policy cannot be changed: no"]],
    [{ namespaces: '[]' }, [followed, 'True', 'selected: none']],
    [{ namespaces: '["a","b"]' }, [followed, 'True', 'selected: a, b']],
    [
      { namespaces: JSON.stringify(many.slice(0, 20)) },
      [followed, 'True', `selected: ${many.slice(0, 20).join(', ')}`],
    ],
    [
      { namespaces: JSON.stringify(many) },
      [followed, 'True', `selected: ${many.slice(0, 20).join(', ')} and 2 more`],
    ],
    [{ namespaces: '[]', namespacesFailure: 'too many' }, [followed, 'False', 'too many']],
    [{ namespaces: '', namespacesFailure: 'too many' }, undefined],
  ])('the conditions report consumers and followed namespaces: %j', async (state, expected) => {
    const [, other] = (await statusAfter(state)).conditions as JsonObject[];
    expect(other && [other.type, other.status, other.message]).toEqual(expected);
  });

  it('the status is written only if it differs, and only to its own object', async () => {
    await statusAfter({});
    const head = await store.head(SUBSCRIPTIONS);
    clock.advance(60_000);
    await statusAfter({ position: 12 });
    await statusAfter({ uid: 'another', failures: 1 });
    const gone = { namespace: 'default', name: 'gone' };
    await writeSubscriptionStatus({ store, clock, queueArns }, gone, stateOf());
    expect(await store.head(SUBSCRIPTIONS)).toBe(head);
  });

  it('the status names the URL and the ARN of an existing queue', async () => {
    expect(await statusAfter({ queueUrl: '' })).toMatchObject({ queueUrl: '', queueArn: '' });
    expect(await statusAfter({})).toMatchObject({ queueUrl: 'https://q', queueArn: `${queueArns}q` });
  });

  it('writeSubscriptionStatus returns the phase only if it changed', async () => {
    const phaseAfter = (more: Partial<SubscriptionState>) =>
      writeSubscriptionStatus({ store, clock, queueArns }, name, stateOf(more));
    expect(await phaseAfter({ membership: 'synced' })).toBe('Synced');
    expect(await phaseAfter({ membership: 'synced' })).toBeUndefined();
    expect(await phaseAfter({ membership: 'synced', edit: 7 })).toBeUndefined();
    expect(await phaseAfter({ failures: 1 })).toBe('Failing');
    expect(await phaseAfter({ failures: 1, uid: 'another', edit: 8 })).toBeUndefined();
  });
});
