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

/** A queue that notes what becomes of what was received from it. */
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

describe('a batch whose time is over', () => {
  it('begins no further message, and all of those come again', async () => {
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

  it('tells the message under way', async () => {
    const told: AbortSignal[] = [];
    const handle = async (_message: string, own: AbortSignal) => void told.push(own);
    await handleBatch<string>(eventOf(['a', 'a1']), { ...given, receipts: createQueue().receipts, handle });
    expect(told[0]).toBe(signal);
  });
});

describe('a message that fails', () => {
  it('is shown again with all behind it in its group, before the other groups are through', async () => {
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
    // What the last group did, Lambda deletes.
    expect(settled).toHaveLength(2);
  });

  it('is tried at once, then ever later, and ten times in no less than five minutes', async () => {
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

  it('comes again though the queue refuses to show it', async () => {
    const refuse = () => Promise.reject(new Error('SQS is unavailable'));
    const answer = await handleBatch<string>(eventOf(['a', 'a1']), {
      ...given,
      receipts: { delete: refuse, showAgain: refuse },
      handle: () => Promise.reject(new Error('not now')),
    });
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a1' }]);
  });
});

describe('a message that came too early', () => {
  it('is shown again at its time, however often it came', async () => {
    const { settled, receipts } = createQueue();
    const handle = () => Promise.reject(new TooEarlyError(90_000));
    await handleBatch<string>(eventOf(['a', 'a1', 4]), { ...given, receipts, handle });
    expect(settled).toEqual(['shown in 90000 ms a1']);
  });
});
