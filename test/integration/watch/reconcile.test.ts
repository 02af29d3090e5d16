import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultRules } from '../../../lib/delivery/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { journalKey } from '../../../lib/store/keys.ts';
import { describeEvent } from '../../support/service/consumer.ts';
import { matchingPods } from '../../support/watch/model.ts';
import { type RealWorld, startRealWorld } from '../../support/watch/real-world.ts';
import { CLUSTER_ID, PODS } from '../../support/watch/watch-world.ts';

let real: RealWorld;

beforeEach(async () => {
  real = await startRealWorld();
});

afterEach(() => real.stop());

const selecting = (app: string) => ({ selector: { matchLabels: { app } } });

describe('an edited subscription', () => {
  it('an edited subscription gets leaving and entering objects, and nothing of the others', async () => {
    const { world } = real;
    await world.subscribe('web', selecting('web'));
    await world.pump();
    const both = { app: 'web', tier: 'front' };
    await world.put('default/a', { app: 'web' });
    await world.put('default/b', both);
    const other = await world.put('default/c', { app: 'db', tier: 'front' });
    await world.pump();
    const before = await world.queueOf('web');
    const { events } = await world.consume('web');
    expect(events.splice(0)).toHaveLength(2);
    await world.edit('web', { selector: { matchLabels: { tier: 'front' } } });
    await world.pump();
    const d = await world.put('default/d', both);
    await world.put('default/e', { app: 'web' });
    await world.pump();
    const { known } = await world.consume('web');
    expect(events.map(describeEvent)).toEqual([
      ...[`DELETED default/a@${other}`, `ADDED default/c@${other}`, 'BOOKMARK', `ADDED default/d@${d}`],
    ]);
    expect(events.map(({ attributes }) => attributes.edit)).toEqual(['2', '2', '2', '2']);
    expect(events[2]?.object.metadata).toEqual({
      resourceVersion: String(other),
      annotations: { 'winnow.dev/generation': '2' },
    });
    expect(known).toEqual(await matchingPods(world, ({ labels }) => labels.tier === 'front'));
    expect(await world.queueOf('web')).toBe(before);
    expect(await world.statusOf('web')).toMatchObject({ phase: 'Synced', observedGeneration: 2 });
    expect(world.errors).toEqual([]);
  });

  it('an edit of the payload sends the selected objects again', async () => {
    const { world } = real;
    await world.subscribe('web', selecting('web'));
    await world.pump();
    const a = await world.put('default/a', { app: 'web' });
    await world.put('default/b', { app: 'db' });
    await world.pump();
    await world.edit('web', { payload: 'Metadata' });
    await world.pump();
    const { events } = await world.consume('web');
    expect(events.map(describeEvent)).toEqual([
      ...[`ADDED default/a@${a}`, `MODIFIED default/a@${a}`, 'BOOKMARK'],
    ]);
    expect(events[1]?.object.kind).toBe('PartialObjectMetadata');
  });

  it('an edit that selects the same sends nothing', async () => {
    const { world } = real;
    await world.subscribe('web', { labelSelector: 'app=web' });
    await world.pump();
    await world.put('default/a', { app: 'web' });
    await world.pump();
    await world.edit('web', { labelSelector: 'app = web' });
    await world.pump();
    const { events } = await world.consume('web');
    expect(events).toHaveLength(1);
    expect(await world.statusOf('web')).toMatchObject({ phase: 'Synced', observedGeneration: 2 });
  });

  it('an edit during a snapshot finishes the snapshot, and the consumer ends with the new set', async () => {
    const { world } = real;
    for (let index = 0; index < 130; index += 1) {
      const app = index % 2 === 0 ? 'web' : 'db';
      await world.put(`default/p${String(index).padStart(3, '0')}`, { app, tier: 'front' });
    }
    let batches = 0;
    world.faults.send = (url) => {
      if (url.includes('-all-')) batches += 1;
      return batches > 11 ? new Error('not now') : undefined;
    };
    await world.subscribe('all', { start: 'snapshot', selector: { matchLabels: { tier: 'front' } } });
    await world.pump();
    await world.edit('all', selecting('db'));
    await world.pump();
    await world.put('default/p001', { app: 'web' });
    await world.put('default/p000', { app: 'db' });
    await world.put('default/p129', { app: 'web' });
    world.faults.send = undefined;
    await real.minute();
    const { events, known } = await world.consume('all');
    const bookmarks = events.filter(({ type }) => type === 'BOOKMARK');
    expect(bookmarks.map(({ attributes }) => attributes.edit)).toEqual(['1', '2']);
    expect(events.filter(({ type }) => type === 'ERROR')).toEqual([]);
    expect(known).toEqual(await matchingPods(world, ({ labels }) => labels.app === 'db'));
    expect(world.errors).toEqual([]);
  });
});

describe('an interrupted snapshot', () => {
  it('a snapshot that resumes after a delete does not leave the deleted object with the consumer', async () => {
    const { world } = real;
    for (let index = 0; index < 130; index += 1) {
      await world.put(`default/p${String(index).padStart(3, '0')}`);
    }
    let batches = 0;
    world.faults.send = (url) => {
      if (url.includes('-all-')) batches += 1;
      return batches > 11 ? new Error('not now') : undefined;
    };
    await world.subscribe('all', { start: 'snapshot' });
    await world.pump();
    // The first page and some of the second were sent.
    expect(await world.rowOf('all')).toMatchObject({
      step: 'difference',
      attempt: 1,
      boundary: 'default/p099',
    });
    const half = await world.consume('all');
    expect(half.known).toHaveLength(110);

    world.faults.send = undefined;
    await world.remove('default/p005');
    await world.remove('default/p105');
    await world.remove('default/p125');
    await world.put('default/p126', { changed: 'yes' });
    await real.minute();
    const { known } = await world.consume('all');
    expect(known).toHaveLength(127);
    expect(known).toEqual(await matchingPods(world, () => true));
  });

  it('a snapshot restarts if its resourceVersion is compacted', async () => {
    const { world } = real;
    await world.put('default/a');
    await world.put('default/b');
    world.faults.send = (url) => (url.includes('-all-') ? new Error('not now') : undefined);
    await world.subscribe('all', { start: 'snapshot' });
    await world.pump();
    await world.remove('default/a');
    await forget(await world.put('default/c'));
    world.faults.send = undefined;
    await real.minute();
    await real.minute();
    const { events, known } = await world.consume('all');
    expect(events[0]?.type).toBe('ERROR');
    expect(known).toEqual(await matchingPods(world, () => true));
  });
});

/** Compacts the pods' journal up to `rv` and lets its rows expire. */
async function forget(rv: number): Promise<void> {
  const { world } = real;
  await world.store.raise(PODS, 'settled', rv);
  await world.store.raise(PODS, 'compacted', rv);
  for (let gone = 2; gone <= rv; gone += 1) await world.table.delete(journalKey(PODS, gone));
  world.dispatcher = world.newDispatcher();
  world.reconciler = world.newReconciler();
}

describe('a subscription whose position is compacted', () => {
  it('a subscription whose position is compacted gets an ERROR and a new snapshot', async () => {
    const { world } = real;
    await world.subscribe('all');
    await world.pump();
    await world.put('default/a');
    await world.put('default/b');
    await world.pump();
    await world.consume('all');
    world.faults.send = (url) => (url.includes('-all-') ? new Error('not now') : undefined);
    await world.put('default/c');
    await world.pump();
    await world.remove('default/a');
    await forget(await world.remove('default/c'));
    world.faults.send = undefined;
    await real.minute();
    await real.minute();
    const { events, known } = await world.consume('all');
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ERROR', 'ADDED', 'BOOKMARK']);
    expect(known).toEqual(await matchingPods(world, () => true));
    expect(await world.statusOf('all')).toMatchObject({ phase: 'Synced' });
  });

  it('a subscription whose cursor is compacted gets an ERROR and a new snapshot', async () => {
    const { world } = real;
    await world.subscribe('all');
    await world.pump();
    await world.put('default/a');
    await world.pump();
    const { store, queues } = world;
    for (const name of ['b', 'c']) await world.put(`default/${name}`);
    await queues.drain(world.eventQueueUrl);
    await forget(await store.head(PODS));
    await real.minute();
    const { events, known } = await world.consume('all');
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['ADDED', 'ERROR']);
    expect(known).toEqual(await matchingPods(world, () => true));
    expect(world.problems.map(({ message }) => message)).toContain(
      'the cursor fell behind the compacted journal',
    );
  });
});

describe('a deleted subscription', () => {
  it('a deleted subscription disappears with its queue, state and finalizer', async () => {
    const { world } = real;
    await world.subscribe('brief');
    await world.subscribe('other');
    await world.pump();
    const queue = await world.queueOf('brief');
    await world.unsubscribe('brief');
    expect(await world.subscription('brief')).toBeDefined();
    await world.pump();
    expect(await world.subscription('brief')).toBeUndefined();
    expect(await world.queues.attributes(queue)).toBeUndefined();
    expect(await world.states()).toHaveLength(1);
    await world.put('default/a');
    await world.pump();
    expect((await world.consume('other')).known).toHaveLength(1);
    expect(world.errors).toEqual([]);
  });

  it('the queue and state are deleted also if the finalizer was removed by force', async () => {
    const { world } = real;
    await world.subscribe('brief');
    await world.pump();
    const queue = await world.queueOf('brief');
    await world.remove('default/brief', SUBSCRIPTIONS);
    await world.pump();
    expect(await world.queues.attributes(queue)).toBeUndefined();
    expect(await world.states()).toEqual([]);
  });

  it('a deleted subscription stays for foreign finalizers, without queue and state', async () => {
    const { world } = real;
    await world.subscribe('brief');
    await world.pump();
    await world.write(SUBSCRIPTIONS, { namespace: 'default', name: 'brief' }, (current) => {
      const body = current?.body ?? {};
      const metadata = body.metadata as Record<string, string>;
      return { ...body, metadata: { ...metadata, finalizers: ['winnow.dev/queue', 'example.com/mine'] } };
    });
    await world.unsubscribe('brief');
    await world.pump();
    await real.minute();
    expect((await world.subscription('brief'))?.body.metadata).toMatchObject({
      finalizers: ['example.com/mine'],
    });
    expect(await world.states()).toEqual([]);
  });
});

describe('a user-owned queue', () => {
  it('a user-owned queue gets the events of several subscriptions after their tokens', async () => {
    const { world } = real;
    const fifo = { attributes: { FifoQueue: 'true' }, tags: { 'winnow:deliver': CLUSTER_ID } };
    const url = await world.queues.create('theirs.fifo', fifo);
    const account = url.split('/').at(-2) ?? '';
    world.rules = defaultRules(account);
    world.reconciler = world.newReconciler();
    const arn = `arn:aws:sqs:eu-central-1:${account}:theirs.fifo`;
    await world.put('default/a', { app: 'web' });
    await world.put('default/b', { app: 'db' });
    for (const app of ['web', 'db']) {
      await world.subscribe(app, { ...selecting(app), queue: { arn }, start: 'snapshot' });
    }
    await world.pump();
    const tokens = await world.queues.drain(url);
    expect(tokens.map(({ body }) => JSON.parse(body).type)).toEqual(['TOKEN', 'TOKEN']);
    const asked = { web: 'db', db: 'web' };
    for (const { body, attributes } of tokens) {
      const name = attributes.subscription?.split('/')[1] as 'web' | 'db';
      const { token } = JSON.parse(body).object;
      // Each subscription has its own token.
      await world.edit(asked[name], { queue: { arn, token } });
    }
    await world.pump();
    // A queue gets the next token after an hour at the earliest.
    expect(await world.queues.drain(url)).toEqual([]);
    for (const { body, attributes } of tokens) {
      const { token } = JSON.parse(body).object;
      await world.edit(attributes.subscription?.split('/')[1] ?? '', { queue: { arn, token } });
    }
    await world.pump();
    const received = await world.queues.drain(url);
    const told = received.map(({ body, attributes, group }) => {
      const { type, object } = JSON.parse(body);
      return [attributes.subscription, type, object.metadata.name ?? '', group !== undefined].join(' ');
    });
    expect(told.sort()).toEqual([
      'default/db ADDED b true',
      'default/db BOOKMARK  true',
      'default/web ADDED a true',
      'default/web BOOKMARK  true',
    ]);
    expect(new Set(received.map(({ group }) => group)).size).toBe(2);
    await world.unsubscribe('web');
    await world.pump();
    expect(await world.queues.attributes(url)).toBeDefined();
    expect(await world.statusOf('db')).toMatchObject({ phase: 'Synced', queueUrl: url, queueArn: arn });
    expect(world.errors).toEqual([]);
  });
});

describe('a subscription that is ordered by object', () => {
  it('each object has its own message group, and so has the bookmark', async () => {
    const { world } = real;
    await world.put('default/a', { app: 'web' });
    await world.put('default/b', { app: 'web' });
    await world.subscribe('web', { ...selecting('web'), ordering: 'Object', start: 'snapshot' });
    await world.pump();
    await world.put('default/a', { app: 'web', tier: 'front' });
    await world.pump();
    const received = await world.queues.drain(await world.queueOf('web'));
    const groups = Map.groupBy(received, ({ group }) => group);
    const told = [...groups.values()].map((messages) =>
      messages
        .map(({ body }) => {
          const { type, object } = JSON.parse(body);
          return `${type} ${object.metadata.name ?? ''}`.trim();
        })
        .join(', '),
    );
    expect(told.sort()).toEqual(['ADDED a, MODIFIED a', 'ADDED b', 'BOOKMARK']);
    expect(received.every(({ attributes }) => attributes.ordering === 'Object')).toBe(true);
    expect(world.errors).toEqual([]);
  });
});
