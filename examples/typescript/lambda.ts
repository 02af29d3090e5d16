import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { openInventory } from './inventory.ts';

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const inventory = openInventory(documents, process.env.TABLE ?? 'inventory');

/** Handles messages of a FIFO queue in order. No message may overtake a failed one, so it and all later ones return to the queue. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  for (const [index, { messageId, messageAttributes, body }] of Records.entries()) {
    try {
      await inventory.take(JSON.parse(body), BigInt(messageAttributes.edit?.stringValue ?? 0));
    } catch (error) {
      console.error(`message ${messageId}`, error);
      const back = Records.slice(index).map((record) => ({ itemIdentifier: record.messageId }));
      return { batchItemFailures: back };
    }
  }
  return { batchItemFailures: [] };
}
