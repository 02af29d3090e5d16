import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueueMessage } from '../../../lib/coordination/index.ts';
import { QueueGoneError, QueueSlowError } from '../../../lib/coordination/queues.ts';
import { bytesAtOnce, sendAll, sendInOrder } from '../../../lib/coordination/send.ts';
import { Faults } from '../../support/watch/faults.ts';
import { createMemoryQueues, type MemoryQueues } from '../../support/watch/memory-queues.ts';

let queues: MemoryQueues;
let url: string;
let faults: Faults;
let batches: (readonly QueueMessage[])[];

beforeEach(async () => {
  queues = createMemoryQueues();
  url = await queues.create('q', { attributes: {}, tags: {} });
  faults = new Faults();
  batches = [];
});

/** The failure of the batch with this number. */
function failing(number: number, fault: readonly number[] | Error = []): void {
  faults.send = (_, messages) => (batches.push(messages) - 1 === number ? fault : undefined);
}

const send = (messages: readonly QueueMessage[], signal?: AbortSignal) =>
  sendInOrder(faults.aroundSends(queues), url, messages, signal);

const numbered = (count: number, bytes = 1): QueueMessage[] =>
  Array.from({ length: count }, (_, index) => ({ body: `${index}`.padEnd(bytes) }));

describe('bytesAtOnce', () => {
  it.each([
    [[], 0],
    [numbered(3, 200), 600],
    [numbered(3, 400_000), 1_000_000],
    [numbered(1, 1_040_000), 1_000_000],
  ])(
    'bytesAtOnce returns the size of all messages together, and a megabyte at most: %#',
    (messages, bytes) => {
      expect(bytesAtOnce(messages)).toBe(bytes);
    },
  );
});

describe('sendInOrder', () => {
  it('sendInOrder sends at most ten messages in a batch, in order', async () => {
    failing(-1);
    expect(await send(numbered(23))).toEqual({ accepted: 23 });
    expect(batches.map(({ length }) => length)).toEqual([10, 10, 3]);
    expect((await queues.drain(url)).map(({ body }) => Number(body))).toEqual([...Array(23).keys()]);
  });

  it('sendInOrder sends at most a megabyte in a batch, counted in bytes, with the attributes', async () => {
    failing(-1);
    await send(numbered(7, 300_000));
    expect(batches.map(({ length }) => length)).toEqual([3, 3, 1]);
    batches.length = 0;
    await send(Array.from({ length: 3 }, () => ({ body: 'é'.repeat(200_000) })));
    expect(batches.map(({ length }) => length)).toEqual([2, 1]);
    batches.length = 0;
    await send(Array.from({ length: 2 }, () => ({ body: 'x', attributes: { name: 'x'.repeat(600_000) } })));
    expect(batches.map(({ length }) => length)).toEqual([1, 1]);
  });

  it('sendInOrder sends a megabyte together, to the byte', async () => {
    failing(-1);
    await send(numbered(2, 500_000));
    await send([...numbered(1, 500_000), ...numbered(1, 500_001)]);
    expect(batches.map(({ length }) => length)).toEqual([2, 1, 1]);
  });

  it('sendInOrder sends a message that is larger than that alone', async () => {
    failing(-1);
    expect(await send(numbered(3, 1_040_000))).toEqual({ accepted: 3 });
    expect(batches).toHaveLength(3);
  });

  it('sendInOrder sends nothing if there is no message', async () => {
    failing(-1);
    expect(await send([])).toEqual({ accepted: 0 });
    expect(batches).toEqual([]);
  });

  it('sendInOrder stops at the first rejected message, even if later ones were accepted', async () => {
    failing(1, [7, 3]);
    expect(await send(numbered(30))).toMatchObject({ accepted: 13, failure: 'refused' });
    expect(batches).toHaveLength(2);
    expect(await queues.drain(url)).toHaveLength(18);
  });

  it('sendInOrder reports why a whole batch failed', async () => {
    failing(1, new Error('access denied'));
    expect(await send(numbered(30))).toEqual({ accepted: 10, failure: 'refused', message: 'access denied' });
  });

  it('sendInOrder distinguishes a missing queue from one that rejects', async () => {
    failing(1, new QueueGoneError('no such queue'));
    expect(await send(numbered(30))).toMatchObject({ accepted: 10, failure: 'gone' });
  });

  it('sendInOrder distinguishes a queue that does not answer from one that rejects', async () => {
    failing(1, new QueueSlowError('no answer'));
    const sent = { accepted: 10, failure: 'slow', message: 'no answer' };
    expect(await send(numbered(30))).toEqual(sent);
  });

  it('sendInOrder begins no batch after its time is over, and treats an aborted batch as a timeout', async () => {
    const time = new AbortController();
    faults.send = () => {
      time.abort();
      return undefined;
    };
    expect(await send(numbered(30), time.signal)).toEqual({ accepted: 10, failure: 'late' });
    faults.send = () => new Error('aborted');
    expect(await send(numbered(30), time.signal)).toEqual({ accepted: 0, failure: 'late' });
  });
});

describe('sendAll', () => {
  it('sendAll rejects if one message is not accepted', async () => {
    failing(0, [1]);
    await expect(sendAll(faults.aroundSends(queues), url, numbered(3))).rejects.toThrow(url);
    const late = sendAll(faults.aroundSends(queues), url, numbered(3), AbortSignal.abort());
    await expect(late).rejects.toThrow(`sending to ${url} failed: late`);
  });
});
