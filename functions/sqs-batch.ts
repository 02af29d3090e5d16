import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Logger } from '../lib/platform/index.ts';

export interface BatchOptions<Message> {
  readonly logger: Logger;
  /** The end of the invocation's time: no message is begun after it. */
  readonly signal: AbortSignal;
  handle(message: Message, signal: AbortSignal): Promise<void>;
}

/**
 * Handles a batch: message groups side by side, the messages of one group in order. Answers those that failed,
 * so that only they come again; a failure fails the rest of its group, or they would overtake it. So does the
 * end of the time.
 */
export async function handleBatch<Message>(
  event: SQSEvent,
  { logger, signal, handle }: BatchOptions<Message>,
): Promise<SQSBatchResponse> {
  const groups = Map.groupBy(event.Records, (record) => record.attributes.MessageGroupId ?? record.messageId);
  const failed = await Promise.all(
    [...groups.values()].map(async (records) => {
      for (const [index, record] of records.entries()) {
        try {
          signal.throwIfAborted();
          await handle(JSON.parse(record.body), signal);
        } catch (error) {
          logger.error('a message failed', { messageId: record.messageId, body: record.body, error });
          return records.slice(index).map(({ messageId }) => ({ itemIdentifier: messageId }));
        }
      }
      return [];
    }),
  );
  return { batchItemFailures: failed.flat() };
}
