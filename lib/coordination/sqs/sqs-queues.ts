import {
  ChangeMessageVisibilityBatchCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueueTagsCommand,
  QueueDoesNotExist,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SetQueueAttributesCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { SigningHash, TIMING } from '../../platform/index.ts';
import { QueueGoneError, type QueueMessage, type Queues } from '../queues.ts';
import type { Receipts } from '../receipts.ts';

export interface SqsQueuesOptions {
  /** Overrides the endpoint or the credentials of the environment. */
  readonly config?: SQSClientConfig;
}

/** Queues of SQS, and receipts for messages received from them. It translates the errors of SQS. */
export function createSqsQueues({ config }: SqsQueuesOptions = {}): Queues & { readonly receipts: Receipts } {
  const client = new SQSClient({
    maxAttempts: 3,
    // Queue URLs contain a host. Behind an emulator's endpoint, the queue service does not listen at that host.
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: TIMING.grace, throwOnRequestTimeout: true },
    sha256: SigningHash,
    ...config,
  });
  const permit = async (QueueUrl: string, Policy: string) => {
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  };

  return {
    async create(QueueName, { attributes, tags }) {
      const command = new CreateQueueCommand({ QueueName, Attributes: { ...attributes }, tags: { ...tags } });
      const { QueueUrl } = await client.send(command).catch(async (error: unknown) => {
        if (!isThereAlready(error)) throw error;
        const there = await client.send(new GetQueueUrlCommand({ QueueName }));
        const { Policy } = attributes;
        if (there.QueueUrl !== undefined && Policy !== undefined) await permit(there.QueueUrl, Policy);
        return there;
      });
      if (QueueUrl === undefined) throw new Error(`SQS gave no URL for ${QueueName}`);
      return QueueUrl;
    },
    permit,
    async delete(QueueUrl) {
      await unlessGone(client.send(new DeleteQueueCommand({ QueueUrl })));
    },
    async attributes(QueueUrl) {
      const answer = await unlessGone(
        client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })),
      );
      return answer?.Attributes;
    },
    async tags(QueueUrl) {
      const answer = await unlessGone(client.send(new ListQueueTagsCommand({ QueueUrl })));
      return answer && (answer.Tags ?? {});
    },
    async sendBatch(QueueUrl, messages, abortSignal) {
      const Entries = messages.map(entryOf);
      const answer = await unlessGone(
        client.send(new SendMessageBatchCommand({ QueueUrl, Entries }), abortSignal ? { abortSignal } : {}),
      );
      if (answer === undefined) throw new QueueGoneError(`there is no queue ${QueueUrl}`);
      const accepted = new Set((answer.Successful ?? []).map(({ Id }) => Id));
      return messages.flatMap((_, index) => (accepted.has(String(index)) ? [] : [index]));
    },
    receipts: receiptsOver(client),
  };
}

/** Whether a queue of this name exists with other attributes. SQS's two protocols name the error differently. */
function isThereAlready(error: unknown): boolean {
  return error instanceof Error && /\bQueue(Name|Already)Exists$/.test(error.name);
}

function receiptsOver(client: SQSClient): Receipts {
  const numbered = (receipts: readonly string[]) =>
    receipts.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
  return {
    async delete(QueueUrl, receipts) {
      const Entries = numbered(receipts);
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    },
    async showAgain(QueueUrl, receipts, delay) {
      const VisibilityTimeout = Math.ceil(delay / 1_000);
      const Entries = numbered(receipts).map((entry) => ({ ...entry, VisibilityTimeout }));
      const { Failed = [] } = await client.send(
        new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }),
      );
      const [first] = Failed;
      if (first !== undefined) throw new Error(`SQS shows a message later: ${first.Code} ${first.Message}`);
    },
  };
}

function entryOf(message: QueueMessage, index: number): SendMessageBatchRequestEntry {
  const attributes = Object.entries(message.attributes ?? {});
  return {
    Id: String(index),
    MessageBody: message.body,
    MessageGroupId: message.group,
    MessageDeduplicationId: message.deduplication,
    ...(attributes.length === 0
      ? {}
      : {
          MessageAttributes: Object.fromEntries(
            attributes.map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
          ),
        }),
  };
}

/** Returns the answer, or undefined if the queue does not exist. */
async function unlessGone<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    // SQS's two protocols name the error differently.
    const name = error instanceof Error ? error.name : '';
    if (error instanceof QueueDoesNotExist || name === 'AWS.SimpleQueueService.NonExistentQueue') {
      return undefined;
    }
    throw error;
  }
}
