import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Logger } from '../lib/platform/index.ts';

/**
 * Handles a batch: message groups side by side, the messages of one group in order. Answers those that failed,
 * so that only they come again; a failure fails the rest of its group, or they would overtake it.
 */
export async function handleBatch<Message>(
  event: SQSEvent,
  logger: Logger,
  handle: (message: Message) => Promise<void>,
): Promise<SQSBatchResponse> {
  const groups = Map.groupBy(event.Records, (record) => record.attributes.MessageGroupId ?? record.messageId);
  const failed = await Promise.all(
    [...groups.values()].map(async (records) => {
      for (const [index, record] of records.entries()) {
        try {
          await handle(JSON.parse(record.body));
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
