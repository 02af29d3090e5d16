import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { handleBatch } from '../../../functions/sqs-batch.ts';
import { pollQueue } from '../../../infra/local/queue-source.ts';
import { type Queues as Embedded, startQueues } from '../../../infra/local/queues.ts';
import { createSqsQueues } from '../../../lib/coordination/sqs/index.ts';
import { silentLogger as logger } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';

let embedded: Embedded;
let client: SQSClient;
let queues: ReturnType<typeof createSqsQueues>;
const stopping: AbortController[] = [];

beforeAll(async () => {
  embedded = await startQueues({ region: 'us-east-1' });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const config = { endpoint: embedded.endpoint, region: 'us-east-1', credentials };
  client = new SQSClient({ ...config, useQueueUrlAsEndpoint: false });
  queues = createSqsQueues({ config });
});

afterEach(() => {
  for (const controller of stopping.splice(0)) controller.abort();
});

afterAll(async () => {
  client.destroy();
  await embedded.stop();
});

interface Fed {
  /** The visibility timeout of a received message in seconds. */
  readonly visibility: number;
  readonly handle: (message: string) => Promise<void>;
  /** Runs before each batch. Rejects if the function dies before it returns a result. */
  readonly begin?: () => Promise<void>;
}

/** Feeds a function from a FIFO queue with the messages `<group><number>`. */
async function feed(name: string, { visibility, handle, begin }: Fed, messages: readonly string[]) {
  const Attributes = { FifoQueue: 'true', VisibilityTimeout: String(visibility) };
  const { QueueUrl: queueUrl = '' } = await client.send(
    new CreateQueueCommand({ QueueName: `${name}.fifo`, Attributes }),
  );
  const sent = messages.map((id) => ({ body: JSON.stringify(id), group: id.charAt(0), deduplication: id }));
  await queues.sendBatch(queueUrl, sent);
  const stop = new AbortController();
  stopping.push(stop);
  const { signal } = stop;
  const { receipts } = queues;
  const invoke = async (_name: string, event: unknown) => {
    await begin?.();
    return handleBatch<string>(event as SQSEvent, { logger, signal, queueUrl, receipts, handle });
  };
  const mapping = { queueUrl, queueArn: '', batchSize: 10, reportsFailures: true };
  void pollQueue({
    source: { functionName: 'dispatch', ...mapping },
    runtime: { invoke },
    sqs: client,
    logger,
    signal,
    region: 'us-east-1',
  });
}

describe('the message group of a failed message', () => {
  it('the group of a failing function is delivered again at once, in order', async () => {
    const handled: string[] = [];
    const handle = async (message: string) => {
      handled.push(message);
      if (message === 'a2' && handled.length === 2) throw new Error('not now');
    };
    await feed('failing', { visibility: 60, handle }, ['a1', 'a2', 'a3']);
    await eventually('all are handled', () => handled.includes('a3'));
    expect(handled).toEqual(['a1', 'a2', 'a2', 'a3']);
  });

  it('the group of a dead function is delivered again after the visibility timeout', async () => {
    const handled: string[] = [];
    let hasDied = false;
    const begin = async () => {
      if (hasDied) return;
      hasDied = true;
      throw new Error('killed');
    };
    const handle = async (message: string) => void handled.push(message);
    await feed('dying', { visibility: 1, handle, begin }, ['a1', 'a2']);
    await eventually('all are handled', () => handled.includes('a2'));
    expect(hasDied).toBe(true);
    expect(handled).toEqual(['a1', 'a2']);
  });

  it('a finished group does not wait for another group of its batch', async () => {
    const handled: string[] = [];
    const slow = Promise.withResolvers<void>();
    const handle = async (message: string) => {
      if (message === 'b1') await slow.promise;
      handled.push(message);
      if (message !== 'a1') return;
      const next = { body: '"a2"', group: 'a', deduplication: 'a2' };
      const url = `${embedded.endpoint}/000000000000/shared.fifo`;
      await queues.sendBatch(url, [next]);
    };
    await feed('shared', { visibility: 60, handle }, ['a1', 'b1']);
    await eventually('the next of the group is handled', () => handled.includes('a2'));
    expect(handled).toEqual(['a1', 'a2']);
    slow.resolve();
    await eventually('the other one is handled', () => handled.includes('b1'));
  });
});
