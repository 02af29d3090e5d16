import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SigningHash, TIMING } from '../../platform/index.ts';
import type { Inbox } from '../inbox.ts';

const MOST = 10;
/**
 * The wait for messages, in seconds. With a wait, SQS asks all its servers and answers as soon as there is a message.
 */
const WAIT = 1;

/** Reads queues of SQS. */
export function createSqsInbox(): Inbox {
  const client = new SQSClient({
    maxAttempts: 3,
    // Queue URLs contain a host. Behind an emulator's endpoint, the queue service does not listen at that host.
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: TIMING.grace, throwOnRequestTimeout: true },
    sha256: SigningHash,
  });
  return {
    receive: async (QueueUrl, abortSignal) => {
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: MOST,
        WaitTimeSeconds: WAIT,
        MessageSystemAttributeNames: ['SentTimestamp'],
      });
      const { Messages = [] } = await client.send(command, { abortSignal });
      return Messages.map(({ Body = '', Attributes = {}, ReceiptHandle = '' }) => ({
        body: Body,
        sentAt: Number(Attributes.SentTimestamp),
        receipt: ReceiptHandle,
      }));
    },
    delete: async (QueueUrl, received) => {
      const Entries = received.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    },
  };
}
