import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { startQueues } from '../../../infra/local/queues.ts';
import type { Queues } from '../../../lib/coordination/index.ts';
import { QueueGoneError } from '../../../lib/coordination/queues.ts';
import { createSqsQueues } from '../../../lib/coordination/sqs/index.ts';
import { engine } from '../../engines/engine.ts';

export interface Received {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly group?: string | undefined;
  readonly deduplication?: string | undefined;
}

/** Queues whose messages a test can take. */
export interface TestQueues extends Queues {
  /** Takes all messages out of a queue; none where there is no such queue. */
  drain(url: string): Promise<Received[]>;
  stop(): Promise<void>;
}

/** The embedded SQS, or where the tests run on another engine that, behind the adapter that is deployed. */
export async function startTestQueues(): Promise<TestQueues> {
  const endpoint = engine('sqs');
  const sqs =
    endpoint === undefined
      ? await startQueues({ region: 'us-east-1' })
      : { endpoint, stop: () => Promise.resolve() };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const config = { endpoint: sqs.endpoint, region: 'us-east-1', credentials };
  const client = new SQSClient({ ...config, useQueueUrlAsEndpoint: false });
  const receive = async (QueueUrl: string): Promise<Message[]> => {
    const options = { MaxNumberOfMessages: 10, WaitTimeSeconds: 0, MessageAttributeNames: ['All'] };
    const command = new ReceiveMessageCommand({ QueueUrl, ...options, MessageSystemAttributeNames: ['All'] });
    return (await client.send(command)).Messages ?? [];
  };
  const queues = createSqsQueues({ config });
  return {
    ...queues,
    async drain(QueueUrl) {
      const taken: Received[] = [];
      if ((await queues.attributes(QueueUrl)) === undefined) return taken;
      for (let messages = await receive(QueueUrl); messages.length > 0; messages = await receive(QueueUrl)) {
        taken.push(...messages.map(received));
        const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      }
      return taken;
    },
    async stop() {
      client.destroy();
      await sqs.stop();
    },
  };
}

function received({ Body = '', MessageAttributes = {}, Attributes = {} }: Message): Received {
  const attributes = Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [
    name,
    StringValue,
  ]);
  return {
    body: Body,
    attributes: Object.fromEntries(attributes),
    group: Attributes.MessageGroupId,
    deduplication: Attributes.MessageDeduplicationId,
  };
}

export interface MemoryQueues extends TestQueues {
  /** The URLs of all queues there are. */
  urls(): string[];
}

/** Queues in memory: FIFO ones drop what they have seen. */
export function createMemoryQueues(): MemoryQueues {
  const contents = new Map<
    string,
    {
      fifo: boolean;
      seen: Set<string>;
      messages: Received[];
      policy: string | undefined;
      tags: Readonly<Record<string, string>>;
    }
  >();
  return {
    async create(name, { attributes, tags }) {
      const url = `memory://${name}`;
      const fifo = attributes.FifoQueue === 'true';
      const { Policy: policy } = attributes;
      if (!contents.has(url)) contents.set(url, { fifo, seen: new Set(), messages: [], policy, tags });
      return url;
    },
    async permit(url, policy) {
      const queue = contents.get(url);
      if (queue !== undefined) queue.policy = policy;
    },
    delete: async (url) => void contents.delete(url),
    async attributes(url) {
      const queue = contents.get(url);
      if (queue === undefined) return undefined;
      const { policy } = queue;
      const attributes: Record<string, string> = policy === undefined ? {} : { Policy: policy };
      return attributes;
    },
    tags: async (url) => contents.get(url)?.tags,
    async sendBatch(url, messages) {
      const queue = contents.get(url);
      if (queue === undefined) throw new QueueGoneError(`there is no queue ${url}`);
      for (const message of messages) {
        const { deduplication = '' } = message;
        if (queue.fifo && queue.seen.has(deduplication)) continue;
        queue.seen.add(deduplication);
        queue.messages.push({ attributes: {}, ...message });
      }
      return [];
    },
    drain: async (url) => contents.get(url)?.messages.splice(0) ?? [],
    stop: async () => {},
    urls: () => [...contents.keys()],
  };
}
