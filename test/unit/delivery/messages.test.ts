import { describe, expect, it } from '@jest/globals';
import { createHints, relay } from '../../../lib/coordination/index.ts';
import { hintMessage, idOf, reconcileMessage } from '../../../lib/coordination/internal-messages.ts';
import {
  bookmarkMessage,
  editMessage,
  eventMessage,
  goneMessage,
} from '../../../lib/delivery/event-message.ts';
import { backoff, firstRow, parseState } from '../../../lib/delivery/subscription/subscription-state.ts';
import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import { collections, targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { readSubscription } from '../../../lib/kubernetes/winnow/subscription.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { Faults } from '../../support/watch/faults.ts';
import { createMemoryQueues } from '../../support/watch/memory-queues.ts';

const LONGEST = 128;
const LAST = Number.MAX_SAFE_INTEGER;
const UID = '6f772632-0000-4000-8000-716c43069c43';
const LONG: Collection = `${'group.'.repeat(30)}example.com/${'x'.repeat(60)}`;

describe('ids on the internal queues', () => {
  it.each([...collections, LONG])('ids are short enough for %s', (collection) => {
    for (const occasion of [undefined, 'minute/99999999', 'admit/0123456789']) {
      const { group = '', deduplication = '' } = hintMessage({ collection, rv: LAST }, occasion);
      expect([group.length <= LONGEST, deduplication.length <= LONGEST]).toEqual([true, true]);
    }
  });

  it('ids of reconciliations are short enough, and each subscription has its own group', () => {
    const name = { namespace: 'n'.repeat(63), name: 'x'.repeat(253) };
    const subscription = reconcileMessage(
      { kind: 'subscription', name, uid: UID, collection: LONG },
      `behind/${LAST}/${LAST}`,
    );
    const namespace = reconcileMessage({ kind: 'namespace', name: 'n'.repeat(63) }, 'minute/99999999');
    expect(subscription.group).toBe(UID);
    for (const { group = '', deduplication = '' } of [subscription, namespace]) {
      expect(group.length).toBeLessThanOrEqual(LONGEST);
      expect(deduplication.length).toBeLessThanOrEqual(LONGEST);
    }
  });

  it('long ids are hashed and stay distinct', () => {
    expect(idOf('core/pods')).toBe('core/pods');
    expect(idOf(LONG)).toHaveLength(64);
    expect(idOf(`${LONG}x`)).not.toBe(idOf(LONG));
  });
});

describe('The messages to subscribers', () => {
  const spec = readSubscription(
    { spec: { resource: { resource: 'nodes' }, namespaces: 'All' } },
    targetResources,
  );
  const name = { namespace: 'default', name: 'x'.repeat(253) };
  const state = {
    ...parseState(firstRow({ name, uid: UID, spec, generation: 1, queueName: '', head: 1 }), spec.target),
    start: LAST,
    attempt: LAST,
    edit: LAST,
  };
  const object = {
    name: { namespace: '', name: 'n' },
    rv: LAST,
    uid: 'u',
    labels: {},
    body: { kind: 'Node' },
  };

  it('messages have short, distinct ids for events, BOOKMARK and ERROR', () => {
    const ids = [
      eventMessage(state, { type: 'ADDED', object }),
      editMessage(state, { type: 'DELETED', object }, LAST),
      editMessage(
        state,
        { type: 'DELETED', object: { ...object, name: { namespace: '', name: 'o' } } },
        LAST,
      ),
      bookmarkMessage(state, LAST),
      goneMessage(state, 'why'),
    ].map(({ deduplication = '' }) => deduplication);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(LONGEST);
  });

  it('the messages of one event differ by subscription, with the payload that each requested', () => {
    const event = {
      type: 'ADDED',
      object: { ...object, body: { kind: 'Node', spec: { size: 1 } } },
    } as const;
    const kinds = (['Object', 'Metadata', 'Object', 'Reference'] as const).map((payload, index) => {
      const { body, attributes } = eventMessage(
        { ...state, payload, name: { ...name, name: `s${index}` } },
        event,
      );
      return [JSON.parse(body).object.kind, JSON.parse(body).object.spec?.size, attributes?.subscription];
    });
    expect(kinds).toEqual([
      ['Node', 1, 'default/s0'],
      ['PartialObjectMetadata', undefined, 'default/s1'],
      ['Node', 1, 'default/s2'],
      ['Node', undefined, 'default/s3'],
    ]);
  });

  it('a message with the payload Reference identifies the object and holds nothing else', () => {
    const body = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', labels: { a: 'b' }, uid: 'u' },
      spec: {},
    };
    const event = { type: 'ADDED', object: { ...object, rv: 7, body } } as const;
    expect(JSON.parse(eventMessage({ ...state, payload: 'Reference' }, event).body)).toEqual({
      type: 'ADDED',
      object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u', resourceVersion: '7' } },
    });
    const placed = { ...object, body: { ...body, metadata: { ...body.metadata, namespace: 'default' } } };
    const message = eventMessage({ ...state, payload: 'Reference' }, { type: 'ADDED', object: placed });
    expect(JSON.parse(message.body).object.metadata).toMatchObject({ namespace: 'default', name: 'n' });
  });

  it('a message that SQS would refuse has less of the object, and says so', () => {
    const told = (metadata: JsonObject, payload: 'Object' | 'Metadata' = 'Object') => {
      const body = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n', ...metadata },
        data: 'x'.repeat(990_000),
      };
      const { body: text } = eventMessage(
        { ...state, payload },
        { type: 'ADDED', object: { ...object, body } },
      );
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
      const event = JSON.parse(text);
      return [event.object.kind, event.object.metadata.name, event.omitted];
    };
    const text = (length: number) => ({ annotations: { note: 'y'.repeat(length) } });
    const omitted = /^the object takes \d{7} bytes, and a message 1000000: read the object from the API$/;
    expect(told(text(0))).toEqual(['Node', 'n', undefined]);
    expect(told(text(10_000))).toEqual(['PartialObjectMetadata', 'n', expect.stringMatching(omitted)]);
    expect(told(text(1_100_000))).toEqual(['Node', 'n', expect.stringMatching(omitted)]);
    expect(told(text(1_100_000), 'Metadata')).toEqual(['Node', 'n', expect.stringMatching(omitted)]);
  });

  it('a message of a cluster-scoped object has no namespace attribute, because SQS refuses empty ones', () => {
    expect(eventMessage(state, { type: 'ADDED', object }).attributes).toEqual({
      subscription: `default/${name.name}`,
      resource: 'core/nodes',
      edit: String(LAST),
      name: 'n',
      resourceVersion: String(LAST),
    });
  });

  it('messages to a Standard queue have neither a group nor an id', () => {
    const { group, deduplication } = bookmarkMessage({ ...state, fifo: false }, 1);
    expect([group, deduplication]).toEqual([undefined, undefined]);
  });
});

describe('the backoff of sends', () => {
  it('the backoff doubles from 2 seconds to 15 minutes', () => {
    expect([1, 2, 3, 9, 10, 60, 5_000].map(backoff)).toEqual([
      ...[2_000, 4_000, 8_000, 512_000, 900_000, 900_000, 900_000],
    ]);
  });
});

describe('The hints of writes', () => {
  async function world() {
    const queues = createMemoryQueues();
    const queueUrl = await queues.create('events.fifo', { attributes: { FifoQueue: 'true' }, tags: {} });
    const faults = new Faults();
    const hints = createHints({ queues: faults.aroundSends(queues), queueUrl, logger: silentLogger });
    const bodies = async () => (await queues.drain(queueUrl)).map(({ body }) => JSON.parse(body));
    const reconcileQueueUrl = await queues.create('reconcile.fifo', {
      attributes: { FifoQueue: 'true' },
      tags: {},
    });
    const work = async () => (await queues.drain(reconcileQueueUrl)).map(({ body }) => JSON.parse(body));
    const clock = new OwnedClock();
    const relaying = { hints, queues, reconcileQueueUrl, clock, logger: silentLogger };
    return { hints, faults, bodies, work, clock, relaying };
  }

  it('a failed hint does not fail its write', async () => {
    const { hints, faults, bodies } = await world();
    faults.send = () => new Error('no network');
    await hints.announce('core/pods', 5);
    await expect(hints.send([{ collection: 'core/pods', rv: 5 }])).rejects.toThrow('no network');
    expect(await bodies()).toEqual([]);
  });

  it('the hints of writer and relay are deduplicated, but not a hint with an occasion', async () => {
    const { hints, bodies, relaying } = await world();
    await hints.announce('core/pods', 5);
    await relay(relaying, [{ pk: 'journal#core/pods#5', sk: '0000000000000005' }]);
    expect(await bodies()).toEqual([{ collection: 'core/pods', rv: 5 }]);
    await hints.send([{ collection: 'core/pods', rv: 5 }], 'minute/1');
    expect(await bodies()).toHaveLength(1);
  });

  it('the relay sends the newest hint of each collection', async () => {
    const { bodies, work, relaying } = await world();
    await relay(relaying, [
      { pk: 'journal#core/pods#1', sk: '0000000000000009' },
      { pk: 'journal#core/pods#2', sk: '0000000000000010' },
      { pk: 'journal#apps/deployments#3', sk: '0000000000000003' },
      { pk: 'journal#core/pods#0', sk: '0000000000000008' },
      { pk: 'head#core/pods', sk: 'cursor' },
    ]);
    expect(await bodies()).toEqual([
      { collection: 'core/pods', rv: 10 },
      { collection: 'apps/deployments', rv: 3 },
    ]);
    await relay(relaying, []);
    expect(await bodies()).toEqual([]);
    expect(await work()).toEqual([]);
  });

  it('the relay sends reconcile one message for each shard with due GC tasks', async () => {
    const { bodies, work, clock, relaying } = await world();
    const key = (due: number, what: string) => {
      const text = String(clock.now() + due).padStart(16, '0');
      return `${text}#${what}#core/pods#0000000000000004`;
    };
    await relay(relaying, [
      { pk: 'looks#0', sk: key(0, 'dependents') },
      { pk: 'looks#0', sk: key(5, 'dependents') },
      { pk: 'looks#1', sk: key(60_000, 'expiry') },
      { pk: 'looks#2', sk: key(0, 'owners') },
      { pk: 'looks#3', sk: key(-7_000, 'expiry') },
    ]);
    expect(await work()).toEqual([
      { kind: 'collect', shard: 0, hops: 0 },
      { kind: 'collect', shard: 3, hops: 0 },
    ]);
    expect(await bodies()).toEqual([]);
  });
});
