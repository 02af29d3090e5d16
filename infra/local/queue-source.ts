import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { FunctionName } from '../../lib/platform/index.ts';
import { type Logger, systemClock } from '../../lib/platform/index.ts';
import type { QueueSource } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';

export interface QueueSourceOptions {
  readonly source: QueueSource;
  readonly sqs: SQSClient;
  readonly runtime: Pick<FunctionRuntime, 'invoke'>;
  readonly logger: Logger;
  readonly region: string;
  readonly signal: AbortSignal;
  /**
   * The delay in ms before the messages of a crashed invocation are received again; default: the visibility timeout.
   */
  readonly retryDelay?: number | undefined;
}

const LONG_POLL = 20;
const PAUSE = { afterError: 1_000, afterNothing: 20 };
/**
 * The most concurrent invocations of a function. All functions share this process, so more invocations of reconcile
 * would slow down dispatch. Reconcile has two, because the deletion of a namespace in one batch may delay all of that
 * batch. A FIFO queue itself delivers one batch of a message group at a time.
 */
const CONCURRENCY: Partial<Record<FunctionName, number>> = { reconcile: 2 };
const OTHERS_CONCURRENCY = 4;

/** Invokes a function with the messages of a queue, like Lambda's event source mapping, until the signal aborts. */
export async function pollQueue(options: QueueSourceOptions): Promise<void> {
  const { signal, logger, source } = options;
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    try {
      const messages = await receive(options);
      if (messages.length === 0) {
        await systemClock.sleep(PAUSE.afterNothing, signal);
      } else if (!signal.aborted) track(running, handle(messages, options));
      if (running.size >= (CONCURRENCY[source.functionName] ?? OTHERS_CONCURRENCY)) {
        await Promise.race(running);
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.error('cannot poll a queue', { queue: source.queueUrl, error });
      await systemClock.sleep(PAUSE.afterError, signal);
    }
  }
}

function track(running: Set<Promise<void>>, work: Promise<void>): void {
  running.add(work);
  void work.finally(() => running.delete(work));
}

async function receive({ sqs, source, signal }: QueueSourceOptions): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: source.queueUrl,
    MaxNumberOfMessages: Math.min(10, source.batchSize),
    WaitTimeSeconds: LONG_POLL,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  const { Messages = [] } = await sqs.send(command, { abortSignal: signal });
  return Messages;
}

/**
 * Handles messages. It never rejects: failed messages stay in the queue. A function that reports failures settles
 * them itself.
 */
async function handle(messages: readonly Message[], options: QueueSourceOptions): Promise<void> {
  const { source, runtime, logger, region, signal } = options;
  try {
    const Records = messages.map((message) => toRecord(message, source.queueArn, region));
    const failed = await runtime.invoke(source.functionName, { Records }).then(
      (result) => failures(result, messages, source),
      async (error: unknown) => {
        if (!signal.aborted) logger.error('a function failed', { function: source.functionName, error });
        await showAgain(messages, options);
        return messages;
      },
    );
    await deleteAll(
      messages.filter((message) => !failed.includes(message)),
      options,
    );
  } catch (error) {
    if (!signal.aborted) logger.error('cannot settle messages', { queue: source.queueUrl, error });
  }
}

/** The failed messages of a batch. An unknown or missing identifier means that the whole batch failed. */
export function failures(
  result: unknown,
  messages: readonly Message[],
  source: QueueSource,
): readonly Message[] {
  if (!source.reportsFailures) return [];
  const { batchItemFailures = [] } = (result ?? {}) as Partial<SQSBatchResponse>;
  const ids = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const failed = messages.filter(({ MessageId = '' }) => ids.has(MessageId));
  return failed.length === ids.size ? failed : messages;
}

async function deleteAll(messages: readonly Message[], { sqs, source }: QueueSourceOptions): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: source.queueUrl, Entries }));
}

async function showAgain(messages: readonly Message[], { sqs, source, retryDelay }: QueueSourceOptions) {
  if (retryDelay === undefined) return;
  const VisibilityTimeout = Math.ceil(retryDelay / 1_000);
  const Entries = messages.map(({ ReceiptHandle }, index) => ({
    Id: String(index),
    ReceiptHandle,
    VisibilityTimeout,
  }));
  await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: source.queueUrl, Entries }));
}

function toRecord(message: Message, eventSourceARN: string, awsRegion: string): SQSRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {});
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: message.Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: Object.fromEntries(
      attributes.map(([name, { DataType = 'String', StringValue }]) => [
        name,
        { dataType: DataType, ...(StringValue !== undefined && { stringValue: StringValue }) },
      ]),
    ),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion,
  };
}
