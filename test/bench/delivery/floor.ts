import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { BenchedService } from './service.ts';

const TABLE = 'floor';
const MOST_SECONDS = 30;

/**
 * What delivery cannot be faster than: a bare row is put, then a bare message sent to a FIFO queue that somebody
 * receives from. Answers, for each of `times`, ms from the answer to the first until the message is there.
 */
export async function measureFloor({ dynamodb, sqs }: BenchedService, times: number): Promise<number[]> {
  const table = new DynamoDBClient(dynamodb);
  const queues = new SQSClient({ ...sqs, useQueueUrlAsEndpoint: false });
  await table.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );
  await waitUntilTableExists({ client: table, maxWaitTime: MOST_SECONDS }, { TableName: TABLE });
  const Attributes = { FifoQueue: 'true' };
  const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: 'floor.fifo', Attributes }));
  const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
  const waits: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const received = queues.send(receive);
    await table.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: `p${time}` } } }));
    const answered = performance.now();
    const MessageDeduplicationId = randomUUID();
    await queues.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: '{}',
        MessageGroupId: 'floor',
        MessageDeduplicationId,
      }),
    );
    const { Messages: [message] = [] } = await received;
    waits.push(performance.now() - answered);
    await queues.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
  }
  table.destroy();
  queues.destroy();
  return waits;
}
