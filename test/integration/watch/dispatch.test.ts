import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QueueGoneError } from '../../../lib/coordination/queues.ts';
import { cursorKey } from '../../../lib/store/index.ts';
import { describeEvent } from '../../support/service/consumer.ts';
import { matchingPods } from '../../support/watch/model.ts';
import { type RealWorld, startRealWorld } from '../../support/watch/real-world.ts';
import { PODS } from '../../support/watch/watch-world.ts';

let real: RealWorld;

beforeEach(async () => {
  real = await startRealWorld();
});

afterEach(() => real.stop());

const APP = { selector: { matchLabels: { app: 'web' } } };

describe('a synced subscription', () => {
  it('a synced subscription gets events when an object enters, changes in and leaves the set by labels', async () => {
    const { world } = real;
    await world.subscribe('web', APP);
    await world.pump();
    const versions = [
      await world.put('default/a', { app: 'web' }),
      await world.put('default/a', { app: 'web', tier: 'x' }),
      await world.put('default/a', { app: 'db' }),
      await world.put('default/a', { app: 'db', tier: 'y' }),
      await world.put('default/a', { app: 'web' }),
      await world.remove('default/a'),
      await world.put('default/other'),
      await world.put('elsewhere/a', { app: 'web' }),
    ];
    await world.pump();
    const { events } = await world.consume('web');
    const [entered, changed, left, , again, gone] = versions;
    expect(events.map(describeEvent)).toEqual([
      `ADDED default/a@${entered}`,
      `MODIFIED default/a@${changed}`,
      `DELETED default/a@${left}`,
      `ADDED default/a@${again}`,
      `DELETED default/a@${gone}`,
    ]);
    // A leaving object is shown in its last matching state, with the version of the change.
    expect(events[2]?.object.metadata.labels).toEqual({ app: 'web', tier: 'x' });
    expect(world.errors).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  it('a synced subscription gets each event with the documented attributes, group and deduplication id', async () => {
    const { world } = real;
    await world.subscribe('web');
    await world.pump();
    const rv = await world.put('default/a');
    await world.pump();
    const [event] = (await world.consume('web')).events;
    const uid = (await world.subscription('web'))?.uid;
    const attributes = { subscription: 'default/web', resource: PODS, namespace: 'default', name: 'a' };
    expect(event?.attributes).toEqual({ ...attributes, edit: '1', resourceVersion: String(rv) });
    expect([event?.group, event?.deduplication]).toEqual([uid, `${uid}/1/0/${rv}`]);
    expect(event?.object).toMatchObject({
      kind: 'Pod',
      metadata: { name: 'a', resourceVersion: String(rv) },
    });
  });

  it('a synced subscription gets events when an object enters and leaves the set by fields', async () => {
    const { world } = real;
    await world.subscribe('running', { fieldSelector: 'status.phase=Running' });
    await world.pump();
    await world.put('default/a', {}, { status: { phase: 'Pending' } });
    await world.put('default/a', {}, { status: { phase: 'Running' } });
    await world.put('default/a', { touched: 'yes' }, { status: { phase: 'Running' } });
    await world.put('default/a', {}, { status: { phase: 'Failed' } });
    await world.pump();
    const { events } = await world.consume('running');
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events[2]?.object.status).toEqual({ phase: 'Running' });
  });

  it('a subscription to all namespaces gets events of all namespaces', async () => {
    const { world } = real;
    await world.subscribe('all', { namespaces: 'All' });
    await world.pump();
    await world.put('default/a');
    await world.put('elsewhere/a');
    await world.pump();
    expect((await world.consume('all')).known).toHaveLength(2);
  });

  it('a subscription with the payload Metadata gets only metadata', async () => {
    const { world } = real;
    await world.subscribe('names', { payload: 'Metadata', start: 'snapshot' });
    await world.put('default/a', { app: 'web' }, { spec: { nodeName: 'n' } });
    await world.pump();
    await world.put('default/b', {}, { spec: { nodeName: 'n' } });
    await world.pump();
    const objects = (await world.consume('names')).events
      .filter(({ type }) => type === 'ADDED')
      .map(({ object }) => object);
    expect(objects).toHaveLength(2);
    for (const object of objects) {
      expect(object).toMatchObject({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' });
      expect(Object.keys(object).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    }
    expect(objects[0]?.metadata.labels).toEqual({ app: 'web' });
  });

  it('a Standard queue gets every event', async () => {
    const { world } = real;
    await world.subscribe('bulk', { queue: { type: 'Standard' } });
    await world.pump();
    for (let index = 0; index < 25; index += 1) await world.put(`default/p${index}`);
    await world.pump();
    const { events, known } = await world.consume('bulk');
    expect(known).toEqual(await matchingPods(world, () => true));
    expect(events).toHaveLength(25);
    expect(events[0]?.group).toBeUndefined();
  });

  it('an event keeps characters that SQS refuses', async () => {
    const { world } = real;
    await world.subscribe('any');
    await world.pump();
    const text = '\u0000\u0001\u001f\u007f\ud800 \ufffe\uffff \u{1f600}';
    await world.put('default/a', {}, { spec: { text } });
    await world.pump();
    const [event] = (await world.consume('any')).events;
    expect(event?.object.spec).toEqual({ text });
  });
});

describe('a new subscription', () => {
  it('a subscription that starts now gets only later changes', async () => {
    const { world } = real;
    await world.put('default/before', { app: 'web' });
    await world.subscribe('web', APP);
    await world.pump();
    expect((await world.consume('web')).events).toEqual([]);
    const rv = await world.put('default/after', { app: 'web' });
    await world.pump();
    expect((await world.consume('web')).known).toEqual([`default/after@${rv}`]);
    expect(await world.statusOf('web')).toMatchObject({
      observedGeneration: 1,
      phase: 'Synced',
      conditions: [{ type: 'Ready', status: 'True', reason: 'Synced' }],
    });
  });

  it('a subscription with a snapshot gets present objects, a bookmark, and later changes', async () => {
    const { world } = real;
    const a = await world.put('default/a', { app: 'web' });
    await world.put('default/b', { app: 'db' });
    const c = await world.put('default/c', { app: 'web' });
    await world.subscribe('web', { ...APP, start: 'snapshot' });
    await world.pump();
    const gone = await world.remove('default/a');
    await world.pump();
    const { events } = await world.consume('web');
    expect(events.map(describeEvent)).toEqual([
      ...[`ADDED default/a@${a}`, `ADDED default/c@${c}`, 'BOOKMARK', `DELETED default/a@${gone}`],
    ]);
    expect(events[2]).toMatchObject({
      attributes: { resourceVersion: String(c) },
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { resourceVersion: String(c), annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
  });

  it('a subscription that starts at a resourceVersion gets only changes after it', async () => {
    const { world } = real;
    await world.put('default/a');
    const b = await world.put('default/b');
    const c = await world.put('default/c');
    const gone = await world.remove('default/a');
    await world.subscribe('since', { start: String(b) });
    await world.pump();
    const d = await world.put('default/d');
    await world.pump();
    const { events } = await world.consume('since');
    expect(events.map(describeEvent)).toEqual([
      ...[`ADDED default/c@${c}`, `DELETED default/a@${gone}`, `ADDED default/d@${d}`],
    ]);
  });

  it('a subscription gets the changes that are written while its snapshot is sent', async () => {
    const { world } = real;
    for (let index = 0; index < 12; index += 1) await world.put(`default/p${index}`);
    await world.subscribe('all', { start: 'snapshot' });
    let writes = 0;
    world.faults.send = async (url) => {
      if (!url.includes('-all-') || writes === 5) return undefined;
      writes += 1;
      await world.put(`default/p${writes}`, { changed: 'yes' });
      if (writes === 2) await world.remove('default/p11');
      return undefined;
    };
    await world.pump();
    const consumer = await world.consume('all');
    expect(consumer.known).toEqual(await matchingPods(world, () => true));
    expect(writes).toBeGreaterThan(1);
  });
});

describe('a dispatcher', () => {
  it('two dispatchers on one collection lose nothing and keep the order', async () => {
    const { world } = real;
    await world.subscribe('all');
    await world.pump();
    const others = [world.newDispatcher(), world.newDispatcher()];
    let head = 0;
    for (let round = 0; round < 4; round += 1) {
      for (let index = 0; index < 15; index += 1) {
        head = await world.put(`default/p${index}`, { round: `${round}` });
      }
      await Promise.all(others.map((dispatcher) => dispatcher.dispatch({ collection: PODS, rv: head })));
    }
    const { events, repeats } = await world.consume('all');
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(Array.from({ length: 60 }, (_, index) => head - 59 + index));
    expect(repeats).toEqual([]);
  });

  it('after a dispatcher died between a send and the cursor, events are repeated and none is lost', async () => {
    const { world, clock } = real;
    await world.subscribe('fifo');
    await world.subscribe('standard', { queue: { type: 'Standard' } });
    await world.pump();
    const cursor = async () => (await world.table.get(cursorKey(PODS)))?.position;
    const before = await cursor();
    for (let index = 0; index < 12; index += 1) await world.put(`default/p${index}`);
    let sent = 0;
    world.faults.crash = (call) => {
      if (call === 'queues.sendBatch') sent += 1;
      return call === 'table.update' && sent >= 4 ? 'before' : undefined;
    };
    await world.pump();
    world.faults.crash = undefined;
    expect(await cursor()).toBe(before);
    clock.advance(36_000);
    await real.minute();
    const all = await matchingPods(world, () => true);
    const fifo = await world.consume('fifo');
    const standard = await world.consume('standard');
    expect([fifo.known, standard.known]).toEqual([all, all]);
    // A FIFO queue drops repeated messages, and a Standard queue cannot.
    expect([fifo.events.length, standard.events.length]).toEqual([12, 24]);
  });
});

describe('a failing queue', () => {
  it('a rejected batch is sent again from its first rejected entry, in order, as a new attempt', async () => {
    const { world } = real;
    await world.subscribe('all');
    await world.pump();
    const versions: number[] = [];
    for (let index = 0; index < 8; index += 1) versions.push(await world.put(`default/p${index}`));
    let failures = 1;
    world.faults.send = (url) => (url.includes('all') && failures-- > 0 ? [3, 5] : undefined);
    await world.pump();
    expect(await world.rowOf('all')).toMatchObject({ membership: 'catching-up', attempt: 1, failures: 1 });
    await real.minute();
    const { events, known } = await world.consume('all');
    const uid = (await world.subscription('all'))?.uid;
    const first = versions.filter((_, index) => ![3, 5].includes(index)).map((rv) => `${uid}/1/0/${rv}`);
    const second = versions.slice(3).map((rv) => `${uid}/1/1/${rv}`);
    expect(events.map(({ deduplication }) => deduplication)).toEqual([...first, ...second]);
    expect(known).toEqual(await matchingPods(world, () => true));
    expect(await world.rowOf('all')).toMatchObject({ membership: 'synced', failures: 0 });
  });

  it('a failing queue delays no other queue, and gets everything when it recovers', async () => {
    const { world } = real;
    await world.subscribe('bad', { start: 'snapshot' });
    await world.subscribe('good');
    await world.pump();
    world.faults.send = (url) => (url.includes('-bad-') ? new Error('access denied') : undefined);
    await world.put('default/a');
    await world.pump();
    await world.put('default/b');
    await world.pump();
    expect((await world.consume('good')).known).toHaveLength(2);
    await real.minute();
    expect(await world.statusOf('bad')).toMatchObject({
      phase: 'Failing',
      conditions: [{ status: 'False', message: 'access denied' }],
    });
    expect(await world.statusOf('good')).toMatchObject({ phase: 'Synced' });
    await world.put('default/c');
    await world.pump();
    expect((await world.consume('good')).known).toHaveLength(3);

    world.faults.send = undefined;
    await world.remove('default/a');
    await real.minute();
    const bad = await world.consume('bad');
    expect(bad.known).toEqual(await matchingPods(world, () => true));
    expect(await world.statusOf('bad')).toMatchObject({ phase: 'Synced' });
    expect(await world.rowOf('bad')).toMatchObject({ membership: 'synced', start: 1 });
  });

  it('a deleted queue is recreated, with a snapshot', async () => {
    const { world } = real;
    await world.put('default/a');
    await world.subscribe('all');
    await world.pump();
    const before = await world.queueOf('all');
    await world.queues.delete(before);
    await expect(world.queues.sendBatch(before, [{ body: 'x' }])).rejects.toThrow(QueueGoneError);
    await world.put('default/b');
    await world.pump();
    const after = await world.queueOf('all');
    expect(after).not.toBe(before);
    const { events, known } = await world.consume('all');
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
    expect(known).toEqual(await matchingPods(world, () => true));
    await world.put('default/c');
    await world.pump();
    expect((await world.consume('all')).known).toHaveLength(3);
  });
});
