import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

// Queue URLs name their own host, which is not where the emulator listens.
const client = new SQSClient({ useQueueUrlAsEndpoint: false });

/** Sends one message, so many times. */
export async function send(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const Entries = [{ Id: '0', MessageBody: '{}', MessageGroupId: 'empty' }];
    await client.send(new SendMessageBatchCommand({ QueueUrl: process.env.WINNOW_EVENT_QUEUE_URL, Entries }));
  }
}
