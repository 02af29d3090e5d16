import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SigningHash, TIMING } from '../../platform/index.ts';
import type { Inbox } from '../inbox.ts';

const MOST = 10;
/** Seconds. One that waits asks all of SQS' servers, and is answered as soon as there is something. */
const WAIT = 1;

/** What is in a queue of SQS. */
export function createSqsInbox(): Inbox {
  const client = new SQSClient({
    maxAttempts: 3,
    // Queue URLs name their own host, which behind an emulator's endpoint is not where it listens.
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
