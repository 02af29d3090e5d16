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

/** Runs the replica until it has delivered exactly these changes in this order, then stops it. */
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

describe('A replica that polls', () => {
  it('A replica delivers each received change, stores it, and deletes the message from the queue', async () => {
    queues.put(URL, event('ADDED', 'a', 1), event('ADDED', 'b', 2), bookmark, event('MODIFIED', 'a', 3));
    const replica = follow();
    expect(replica.isSynced).toBe(false);
    await tells(replica, 'add a', 'add b', 'synced', 'update a from 1');
    expect(replica.isSynced).toBe(true);
    expect(queues.queues.get(URL)).toEqual([]);
    expect(await replica.get('a', 'default')).toEqual(podOf('a', 3));
    expect(await replica.get('c', 'default')).toBeUndefined();
  });

  it('A replica delivers a change before it stores it, and returns a change that a listener rejects', async () => {
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

  it('A replica waits longer after each failure, and starts over after a success', async () => {
    queues.put(URL, event('ADDED', 'a', 1));
    for (const fault of ['one', 'two', 'three']) queues.faults.push(new Error(fault));
    const replica = follow();
    const errors: string[] = [];
    replica.on('error', ({ message }) => errors.push(message));
    await tells(replica, 'add a');
    expect(errors).toEqual(['one', 'two', 'three']);
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
  });

  it('A replica without an error listener prints an error to stderr and continues', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
    queues.put(URL, event('ADDED', 'a', 1));
    queues.faults.push(new Error('no access'));
    await tells(follow(), 'add a');
    expect(printed.mock.calls).toEqual([['replica: no access; trying again']]);
    printed.mockRestore();
    await expect(new Replica({}).run()).rejects.toThrow('queueUrl');
  });

  it('A replica requests the URL of its queue again after each failure', async () => {
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

  it('A replica requests another queue if its own is gone, and restarts there', async () => {
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

  it('A replica that is stopped does not delete messages that it did not process', async () => {
    queues.put(URL, event('ADDED', 'a', 1), event('ADDED', 'b', 2));
    const replica = follow();
    replica.on('add', () => void replica.stop());
    await replica.run();
    expect(told).toEqual(['add a']);
    expect(queues.queues.get(URL)?.map(({ body }) => JSON.parse(body).object.metadata.name)).toEqual(['b']);
  });

  it('A replica removes a listener', async () => {
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

describe('A replica that can list', () => {
  const listOf =
    (resourceVersion: number, ...items: KubernetesObject[]) =>
    async () => ({
      resourceVersion: String(resourceVersion),
      items,
      edit: 1,
    });

  it('A replica starts with the list, and drops changes that the list already contains', async () => {
    queues.put(URL, event('ADDED', 'gone', 2), event('DELETED', 'gone', 3), event('ADDED', 'b', 6));
    const replica = follow({ list: listOf(5, podOf('a', 4)) });
    await tells(replica, 'add a', 'synced', 'add b');
  });

  it('A replica does not list if its store already has a set', async () => {
    const store = createMemoryStore();
    queues.put(URL, event('ADDED', 'a', 1), bookmark);
    await tells(follow({ store }), 'add a', 'synced');
    told = [];
    queues.put(URL, event('ADDED', 'b', 2));
    await tells(follow({ store, list: listOf(9) }), 'add b');
  });

  it('A replica lists again if it cannot read a message', async () => {
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

  it('A replica reports an error if it has no list function', async () => {
    await expect(follow().relist()).rejects.toThrow('option list');
  });
});

describe('A replica of a Subscription that proves its set', () => {
  /** The attributes of a change after which the set has this digest. */
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

  it('A replica trusts a complete set, whether messages arrive in order or repeatedly', async () => {
    const a = event('ADDED', 'a', 1, proof(1, ['a', 1]));
    const b = event('ADDED', 'b', 2, proof(2, ['a', 1], ['b', 2]));
    const c = event('DELETED', 'a', 3, proof(3, ['b', 2]));
    const d = event('MODIFIED', 'b', 4, proof(4, ['b', 4]));
    queues.put(URL, a, b, a, b, d, c, d, event('ADDED', 'e', 5, proof(5, ['b', 4], ['e', 5])));
    const { replica } = proven();
    await tells(replica, 'synced', 'add a', 'add b', 'update b from 2', 'delete a', 'add e');
  });

  it('A replica lists again if its set differs', async () => {
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

  it('A replica lists again if a message is missing for longer than a redelivery takes', async () => {
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
  ])(
    'The handler returns the failed messages of %s, and on a FIFO queue all later ones',
    async (queue, failed, keys) => {
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
    },
  );

  it('The handler decides again about changes to a set that another instance replaced meanwhile', async () => {
    const store = createMemoryStore();
    const [one, other] = [follow({ store }), follow({ store })];
    const error = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', metadata: {} } });
    const end = JSON.stringify(bookmark.event);
    await one.handle({ Records: [record('1', added('a'), 'pods'), record('2', end, 'pods')] });
    // The other instance handles a whole new snapshot while the first one handles a change.
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
