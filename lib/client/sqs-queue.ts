import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { type Queue, QueueGoneError, queueName, type Received } from './queue.ts';

/** An `SQSClient` of `@aws-sdk/client-sqs`. */
export interface SqsClient {
  send(command: never, options?: never): Promise<unknown>;
}

const GONE = ['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'];

/** A queue over the AWS SDK, which is loaded now: a Lambda function, which is handed its messages, does without. */
export async function openSqsQueue(given?: SqsClient): Promise<Queue> {
  const sdk = await import('@aws-sdk/client-sqs');
  const client = (given as SQSClient | undefined) ?? new sdk.SQSClient({});
  return {
    receive: async (QueueUrl, abortSignal) => {
      const asked = new sdk.ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 20,
        MessageAttributeNames: ['All'],
      });
      const { Messages = [] } = await orGone(QueueUrl, client.send(asked, { abortSignal }));
      return Messages.map((message) => receivedOf(message, queueName(QueueUrl)));
    },
    delete: async (QueueUrl, messages) => {
      const Entries = messages.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
      await orGone(QueueUrl, client.send(new sdk.DeleteMessageBatchCommand({ QueueUrl, Entries })));
    },
  };
}

function orGone<Answer>(url: string, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error) => {
    throw GONE.includes(error?.name) ? new QueueGoneError(`there is no queue ${url}`) : error;
  });
}

function receivedOf(message: Message, queue: string): Received {
  const { MessageId = '', Body = '', ReceiptHandle = '', MessageAttributes = {} } = message;
  const attributes = Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [
    name,
    StringValue,
  ]);
  return {
    id: MessageId,
    body: Body,
    receipt: ReceiptHandle,
    queue,
    attributes: Object.fromEntries(attributes),
  };
}
