import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueueMessage } from '../../../lib/coordination/index.ts';
import { ReconcileRequests } from '../../../lib/coordination/reconcile-requests.ts';

const message = { kind: 'namespace', name: 'default' } as const;
let sent: (readonly QueueMessage[])[];
let warned: string[];
let measured: string[];
/** Handles a batch of the queue; returns the entries that the queue rejected. */
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

describe('The requests of dispatch to reconcile', () => {
  it('Requests are sent together, once, with the hop count', async () => {
    const notices = noticesOf(7);
    notices.add(message, '1');
    notices.add(message, '2');
    await notices.send();
    await notices.send();
    expect(sent.map((batch) => batch.map(({ body }) => JSON.parse(body).hops))).toEqual([[7, 7]]);
    expect([warned, measured]).toEqual([[], []]);
  });

  it('Requests are cut off if the chain is too long, and a round without requests has no chain', async () => {
    for (const hops of [100, 101]) {
      const notices = noticesOf(hops);
      await notices.send();
      notices.add(message, '1');
      await notices.send();
    }
    expect(sent).toHaveLength(1);
    expect(measured).toEqual(['CutChains']);
    expect(warned).toEqual(['a chain of messages was cut; the next tick continues the work']);
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
  ])('A request that is %s is logged as a warning, and never fails', async (_, answer) => {
    take = answer;
    const notices = noticesOf(1);
    notices.add(message, '1');
    await notices.send();
    expect(warned).toEqual(['a reconcile message was not sent; the next tick sends it']);
  });
});
