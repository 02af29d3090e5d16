import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  createMemoryStore,
  type KubernetesObject,
  Replica,
  type ReplicaOptions,
  type SqsRecord,
} from '../../../lib/client/index.ts';
import { digestOf } from '../../../lib/client/proof.ts';
import { FakeQueues, type Put } from '../../support/client/fake-queue.ts';
import { eventually } from '../../support/eventually.ts';

const URL = 'https://sqs.eu-central-1.amazonaws.com/111122223333/pods.fifo';

let queues: FakeQueues;
let told: string[];
let pauses: number[];

beforeEach(() => {
  queues = new FakeQueues();
  told = [];
  pauses = [];
});

const podOf = (name: string, rv: number): KubernetesObject => ({
  kind: 'Pod',
  metadata: { namespace: 'default', name, resourceVersion: String(rv) },
});
const event = (type: string, name: string, rv: number, attributes = {}): Put => ({
  event: { type, object: podOf(name, rv) },
  attributes: { edit: '1', ...attributes },
});
const bookmark: Put = {
  event: { type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
  attributes: { edit: '1' },
};

function follow(options: ReplicaOptions = {}) {
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  const replica = new Replica({ queueUrl: URL, queue: queues, pause, ...options });
  replica.on('add', ({ metadata }) => told.push(`add ${metadata.name}`));
  replica.on('update', ({ metadata }, before) =>
    told.push(`update ${metadata.name} from ${before.metadata.resourceVersion}`),
  );
  replica.on('delete', ({ metadata }) => told.push(`delete ${metadata.name}`));
  replica.on('synced', () => told.push('synced'));
  return replica;
}

/** Runs it until what was told is this, in this order, then stops it. */
async function tells(replica: Replica, ...expected: readonly unknown[]) {
  const running = replica.run();
  try {
    await Promise.race([
      running,
      eventually(`it tells ${expected.at(-1)}`, () => told.length >= expected.length),
    ]);
    expect(told).toEqual(expected);
  } finally {
    await replica.stop();
  }
  await running;
}

describe('a replica that polls', () => {
  it('tells what it receives, holds it, and takes it out of the queue', async () => {
    queues.put(URL, event('ADDED', 'a', 1), event('ADDED', 'b', 2), bookmark, event('MODIFIED', 'a', 3));
    const replica = follow();
    expect(replica.isSynced).toBe(false);
    await tells(replica, 'add a', 'add b', 'synced', 'update a from 1');
    expect(replica.isSynced).toBe(true);
    expect(queues.queues.get(URL)).toEqual([]);
    expect(await replica.get('a', 'default')).toEqual(podOf('a', 3));
    expect(await replica.get('c', 'default')).toBeUndefined();
  });

  it('tells a change before it holds it, and gives back what a listener refuses', async () => {
    queues.put(URL, event('ADDED', 'a', 1), event('ADDED', 'b', 2));
    const replica = follow();
    const refusals = [new Error('not now')];
    const errors: string[] = [];
    replica.on('error', ({ message }) => errors.push(message));
    replica.on('add', async ({ metadata }) => {
      expect(await replica.get(metadata.name, 'default')).toBeUndefined();
      const refusal = refusals.pop();
      if (refusal !== undefined) throw refusal;
    });
    await tells(replica, 'add a', 'add a', 'add b');
    expect(errors).toEqual(['not now']);
    expect(pauses).toEqual([1_000]);
  });

  it('waits longer after each failure, and again from the beginning after a success', async () => {
    queues.put(URL, event('ADDED', 'a', 1));
    for (const fault of ['one', 'two', 'three']) queues.faults.push(new Error(fault));
    const replica = follow();
    const errors: string[] = [];
    replica.on('error', ({ message }) => errors.push(message));
    await tells(replica, 'add a');
    expect(errors).toEqual(['one', 'two', 'three']);
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
  });

  it('prints an error without a listener to stderr and goes on', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
    queues.put(URL, event('ADDED', 'a', 1));
    queues.faults.push(new Error('no access'));
    await tells(follow(), 'add a');
    expect(printed.mock.calls).toEqual([['replica: no access; trying again']]);
    printed.mockRestore();
    await expect(new Replica({}).run()).rejects.toThrow('queueUrl');
  });

  it('asks for the URL of its queue again after each failure', async () => {
    queues.put(URL, event('ADDED', 'a', 1));
    queues.faults.push(new Error('connection refused'));
    let asked = 0;
    const queueUrl = async () => {
      asked += 1;
      return URL;
    };
    const replica = follow({ queueUrl });
    replica.on('error', () => {});
    await tells(replica, 'add a');
    expect(asked).toBe(2);
  });

  it('asks for another queue where its own is gone, and begins anew there', async () => {
    const urls = [URL, 'https://sqs.eu-central-1.amazonaws.com/111122223333/other.fifo'];
    queues.put(URL, event('ADDED', 'a', 7), bookmark);
    const replica = follow({ queueUrl: async () => urls[0] ?? '' });
    replica.on('error', () => {});
    replica.on('synced', () => {
      if (urls.length === 1) return;
      urls.shift();
      queues.put(urls[0] ?? '', event('ADDED', 'b', 1), bookmark);
      queues.queues.delete(URL);
    });
    await tells(replica, 'add a', 'synced', 'delete a', 'add b', 'synced');
  });

  it('does not delete what it did not take when it is stopped', async () => {
    queues.put(URL, event('ADDED', 'a', 1), event('ADDED', 'b', 2));
    const replica = follow();
    replica.on('add', () => void replica.stop());
    await replica.run();
    expect(told).toEqual(['add a']);
    expect(queues.queues.get(URL)?.map(({ body }) => JSON.parse(body).object.metadata.name)).toEqual(['b']);
  });

  it('takes a listener away again', async () => {
    queues.put(URL, event('ADDED', 'a', 1), event('ADDED', 'b', 2));
    const replica = follow();
    const heard: string[] = [];
    const off = replica.on('add', ({ metadata }) => {
      heard.push(metadata.name);
      off();
    });
    await tells(replica, 'add a', 'add b');
    expect(heard).toEqual(['a']);
  });
});

describe('a replica that can list', () => {
  const listOf =
    (resourceVersion: number, ...items: KubernetesObject[]) =>
    async () => ({
      resourceVersion: String(resourceVersion),
      items,
      edit: 1,
    });

  it('begins with the list, and drops what is in that already', async () => {
    queues.put(URL, event('ADDED', 'gone', 2), event('DELETED', 'gone', 3), event('ADDED', 'b', 6));
    const replica = follow({ list: listOf(5, podOf('a', 4)) });
    await tells(replica, 'add a', 'synced', 'add b');
  });

  it('does not list where its store has a set', async () => {
    const store = createMemoryStore();
    queues.put(URL, event('ADDED', 'a', 1), bookmark);
    await tells(follow({ store }), 'add a', 'synced');
    told = [];
    queues.put(URL, event('ADDED', 'b', 2));
    await tells(follow({ store, list: listOf(9) }), 'add b');
  });

  it('lists anew instead of a message that cannot be read', async () => {
    queues.put(URL, event('ADDED', 'a', 6), { body: 'no JSON' }, event('MODIFIED', 'b', 8));
    const lists = [listOf(5), listOf(7, podOf('b', 7))];
    const replica = follow({ list: async () => (await lists.shift()?.()) ?? listOf(0)() });
    replica.on('error', ({ name }) => told.push(name));
    await tells(
      replica,
      'synced',
      'add a',
      'UnreadableMessageError',
      'delete a',
      'add b',
      'synced',
      'update b from 7',
    );
    expect(queues.queues.get(URL)).toEqual([]);
  });

  it('says so where there is nothing to list with', async () => {
    await expect(follow().relist()).rejects.toThrow('option list');
  });
});

describe('a Subscription that proves its set', () => {
  /** The attributes of a change after which the set is this. */
  const proof = (sequence: number, ...set: readonly (readonly [string, number])[]) => {
    const digest =
      set.reduce((sum, [name, rv]) => sum + digestOf(`default/${name}`, String(rv)), 0n) % 2n ** 128n;
    return { sequence: String(sequence), set: `${set.length}/${digest.toString(16).padStart(32, '0')}` };
  };
  const proven = () => {
    let now = 0;
    const replica = follow({
      now: () => now,
      list: async () => ({ resourceVersion: '0', items: [], edit: 1 }),
    });
    replica.on('error', ({ message }) => told.push(message));
    return { replica, pass: (milliseconds: number) => (now += milliseconds) };
  };

  it('is believed where all is there, in order or sent again', async () => {
    const a = event('ADDED', 'a', 1, proof(1, ['a', 1]));
    const b = event('ADDED', 'b', 2, proof(2, ['a', 1], ['b', 2]));
    const c = event('DELETED', 'a', 3, proof(3, ['b', 2]));
    const d = event('MODIFIED', 'b', 4, proof(4, ['b', 4]));
    queues.put(URL, a, b, a, b, d, c, d, event('ADDED', 'e', 5, proof(5, ['b', 4], ['e', 5])));
    const { replica } = proven();
    await tells(replica, 'synced', 'add a', 'add b', 'update b from 2', 'delete a', 'add e');
  });

  it('lists anew where the set is another', async () => {
    queues.put(URL, event('ADDED', 'a', 1, proof(1, ['a', 1], ['lost', 1])));
    const { replica } = proven();
    await tells(
      replica,
      'synced',
      'add a',
      expect.stringMatching(/^after message 1 the set is 1\//),
      'delete a',
      'synced',
    );
  });

  it('lists anew where a message is missing for longer than it takes to send it again', async () => {
    const [a, c, d] = [proof(1, ['a', 1]), proof(3), proof(4)];
    queues.put(URL, event('ADDED', 'a', 1, a), event('ADDED', 'c', 3, c), event('ADDED', 'd', 4, d));
    const { replica, pass } = proven();
    replica.on('add', ({ metadata }) => metadata.name === 'd' && pass(61_000));
    await tells(
      replica,
      ...['synced', 'add a', 'add c', 'add d', 'message 2 did not come'],
      ...['delete a', 'delete c', 'delete d', 'synced'],
    );
  });
});

describe('the handler of a Lambda function', () => {
  const record = (messageId: string, body: string, queue: string): SqsRecord => ({
    messageId,
    body,
    eventSourceARN: `arn:aws:sqs:eu-central-1:111122223333:${queue}`,
  });
  const added = (name: string) => JSON.stringify({ type: 'ADDED', object: podOf(name, 1) });

  it.each([
    ['pods.fifo', ['2', '3'], ['default/a']],
    ['pods', ['2'], ['default/a', 'default/b']],
  ])('gives back of %s what failed, and on a FIFO queue all behind it', async (queue, failed, keys) => {
    const replica = follow();
    replica.on('error', () => {});
    const Records = [
      record('1', added('a'), queue),
      record('2', 'no JSON', queue),
      record('3', added('b'), queue),
    ];
    const { batchItemFailures } = await replica.handle({ Records });
    expect(batchItemFailures).toEqual(failed.map((itemIdentifier) => ({ itemIdentifier })));
    const held = [];
    for await (const { metadata } of replica.values()) held.push(`${metadata.namespace}/${metadata.name}`);
    expect(held).toEqual(keys);
  });

  it('decides again what it put into a set that another instance replaced meanwhile', async () => {
    const store = createMemoryStore();
    const [one, other] = [follow({ store }), follow({ store })];
    const error = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', metadata: {} } });
    const end = JSON.stringify(bookmark.event);
    await one.handle({ Records: [record('1', added('a'), 'pods'), record('2', end, 'pods')] });
    // The other one handles a whole fresh snapshot while the first one is at a change.
    const off = one.on('add', async () => {
      off();
      await other.handle({ Records: [record('3', error, 'pods'), record('4', end, 'pods')] });
    });
    expect(await one.handle({ Records: [record('5', added('b'), 'pods')] })).toEqual({
      batchItemFailures: [],
    });
    expect(await one.get('b', 'default')).toEqual(podOf('b', 1));
    expect(await one.get('a', 'default')).toBeUndefined();
  });
});
