import { describe, expect, it } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { handleBatch } from '../../../functions/sqs-batch.ts';
import { silentLogger as logger } from '../../../lib/platform/index.ts';

const eventOf = (...messages: readonly (readonly [group: string, id: string])[]): SQSEvent =>
  ({
    Records: messages.map(([MessageGroupId, messageId]) => ({
      messageId,
      body: JSON.stringify(messageId),
      attributes: { MessageGroupId },
    })),
  }) as unknown as SQSEvent;

describe('a batch whose time is over', () => {
  it('begins no further message, and all of those come again', async () => {
    const time = new AbortController();
    const handled: string[] = [];
    const event = eventOf(['a', 'a1'], ['a', 'a2'], ['a', 'a3']);
    const answer = await handleBatch<string>(event, {
      logger,
      signal: time.signal,
      handle: async (message) => {
        handled.push(message);
        if (message === 'a2') time.abort();
      },
    });
    expect(handled).toEqual(['a1', 'a2']);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a3' }]);
  });

  it('tells the message under way', async () => {
    const { signal } = new AbortController();
    const given: AbortSignal[] = [];
    const handle = async (_message: string, own: AbortSignal) => void given.push(own);
    await handleBatch<string>(eventOf(['a', 'a1']), { logger, signal, handle });
    expect(given[0]).toBe(signal);
  });
});
