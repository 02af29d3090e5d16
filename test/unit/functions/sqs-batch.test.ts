import { describe, expect, it } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { handleBatch } from '../../../functions/sqs-batch.ts';
import { TooEarlyError } from '../../../lib/coordination/index.ts';
import { silentLogger as logger } from '../../../lib/platform/index.ts';

const eventOf = (...messages: readonly (readonly [group: string, id: string, receives?: number])[]) =>
  ({
    Records: messages.map(([MessageGroupId, messageId, receives = 1]) => ({
      messageId,
      receiptHandle: `receipt of ${messageId}`,
      body: JSON.stringify(messageId),
      attributes: { MessageGroupId, ApproximateReceiveCount: String(receives) },
    })),
  }) as unknown as SQSEvent;

/** A queue that records what happens to the messages received from it. */
function createQueue() {
  const settled: string[] = [];
  const note = (what: string, ids: readonly string[]) =>
    void settled.push(`${what} ${ids.map((id) => id.replace('receipt of ', '')).join(' ')}`);
  const receipts = {
    delete: async (_url: string, ids: readonly string[]) => note('deleted', ids),
    showAgain: async (_url: string, ids: readonly string[], delay: number) =>
      note(`shown in ${delay} ms`, ids),
  };
  return { settled, receipts };
}

const { signal } = new AbortController();
const given = { logger, signal, queueUrl: 'https://queue' };

describe('A batch that runs out of time', () => {
  it('The batch begins no further message, and all remaining ones are delivered again', async () => {
    const time = new AbortController();
    const handled: string[] = [];
    const event = eventOf(['a', 'a1'], ['a', 'a2'], ['a', 'a3']);
    const answer = await handleBatch<string>(event, {
      ...given,
      signal: time.signal,
      receipts: createQueue().receipts,
      handle: async (message) => {
        handled.push(message);
        if (message === 'a2') time.abort();
      },
    });
    expect(handled).toEqual(['a1', 'a2']);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a3' }]);
  });

  it('The running message receives the signal of the deadline', async () => {
    const told: AbortSignal[] = [];
    const handle = async (_message: string, own: AbortSignal) => void told.push(own);
    await handleBatch<string>(eventOf(['a', 'a1']), { ...given, receipts: createQueue().receipts, handle });
    expect(told[0]).toBe(signal);
  });
});

describe('A message that fails', () => {
  it('A failed message is delivered again, with all later ones of its group, before the other groups are done', async () => {
    const { settled, receipts } = createQueue();
    const slow = Promise.withResolvers<void>();
    const event = eventOf(['a', 'a1'], ['b', 'b1'], ['a', 'a2'], ['a', 'a3']);
    const batch = handleBatch<string>(event, {
      ...given,
      receipts,
      handle: async (message) => {
        if (message === 'a2') throw new Error('not now');
        if (message === 'b1') await slow.promise;
      },
    });
    await new Promise(setImmediate);
    expect(settled).toEqual(['shown in 0 ms a2 a3', 'deleted a1']);
    slow.resolve();
    expect((await batch).batchItemFailures).toEqual([{ itemIdentifier: 'a2' }, { itemIdentifier: 'a3' }]);
    // Lambda deletes the messages of the last group.
    expect(settled).toHaveLength(2);
  });

  it('A failed message is retried at once, then ever later, ten times in at least five minutes', async () => {
    const pauses: number[] = [];
    for (let receives = 1; receives <= 10; receives += 1) {
      const { settled, receipts } = createQueue();
      const handle = () => Promise.reject(new Error('never'));
      await handleBatch<string>(eventOf(['a', 'a1', receives]), { ...given, receipts, handle });
      pauses.push(Number(/shown in (\d+) ms a1/.exec(settled[0] ?? '')?.[1]));
    }
    const s = 1_000;
    expect(pauses).toEqual([0, 5 * s, 10 * s, 20 * s, 40 * s, 60 * s, 60 * s, 60 * s, 60 * s, 60 * s]);
    expect(pauses.slice(0, 9).reduce((sum, pause) => sum + pause)).toBeGreaterThan(300 * s);
  });

  it('A failed message is delivered again though the queue refuses to change its visibility', async () => {
    const refuse = () => Promise.reject(new Error('SQS is unavailable'));
    const answer = await handleBatch<string>(eventOf(['a', 'a1']), {
      ...given,
      receipts: { delete: refuse, showAgain: refuse },
      handle: () => Promise.reject(new Error('not now')),
    });
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a1' }]);
  });
});

describe('A message that came too early', () => {
  it('An early message is delivered again at its time, however often it came', async () => {
    const { settled, receipts } = createQueue();
    const handle = () => Promise.reject(new TooEarlyError(90_000));
    await handleBatch<string>(eventOf(['a', 'a1', 4]), { ...given, receipts, handle });
    expect(settled).toEqual(['shown in 90000 ms a1']);
  });
});
