import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueueMessage } from '../../../lib/coordination/index.ts';
import { ReconcileRequests } from '../../../lib/coordination/reconcile-requests.ts';

const message = { kind: 'namespace', name: 'default' } as const;
let sent: (readonly QueueMessage[])[];
let warned: string[];
let measured: string[];
/** What the queue does with a batch; answers what it did not take. */
let take: () => Promise<number[]>;

beforeEach(() => {
  [sent, warned, measured] = [[], [], []];
  take = async () => [];
});

function noticesOf(hops: number): ReconcileRequests {
  const none = async () => undefined;
  const queues = {
    create: async () => '',
    delete: none,
    permit: none,
    attributes: none,
    tags: none,
    sendBatch: (_: string, messages: readonly QueueMessage[]) => {
      sent.push(messages);
      return take();
    },
  };
  const nothing = () => {};
  const logger = { debug: nothing, info: nothing, error: nothing, warn: (text: string) => warned.push(text) };
  const metrics = { record: (metric: string) => measured.push(metric) };
  return new ReconcileRequests({ queues, reconcileQueueUrl: 'q', logger, metrics }, hops);
}

describe('what dispatch tells reconcile', () => {
  it('goes together, once, with the count of what led to it', async () => {
    const notices = noticesOf(7);
    notices.add(message, '1');
    notices.add(message, '2');
    await notices.send();
    await notices.send();
    expect(sent.map((batch) => batch.map(({ body }) => JSON.parse(body).hops))).toEqual([[7, 7]]);
    expect([warned, measured]).toEqual([[], []]);
  });

  it('is cut where the chain is too long, and where there is nothing to tell no chain is', async () => {
    for (const hops of [100, 101]) {
      const notices = noticesOf(hops);
      await notices.send();
      notices.add(message, '1');
      await notices.send();
    }
    expect(sent).toHaveLength(1);
    expect(measured).toEqual(['CutChains']);
    expect(warned).toEqual(['a chain of messages was cut; the schedule goes on']);
  });

  it.each([
    ['refused', async () => [0]],
    [
      'not answered',
      async () => {
        await new Promise(setImmediate);
        throw new Error('no answer');
      },
    ],
  ])('is warned of where it is %s, and never fails', async (_, answer) => {
    take = answer;
    const notices = noticesOf(1);
    notices.add(message, '1');
    await notices.send();
    expect(warned).toEqual(['reconcile was not told; the schedule will']);
  });
});
