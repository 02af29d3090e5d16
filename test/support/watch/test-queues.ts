import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { startQueues } from '../../../infra/local/queues.ts';
import { createSqsQueues } from '../../../lib/coordination/sqs/index.ts';
import { engine } from '../../engines/engine.ts';
import type { Received, TestQueues } from './memory-queues.ts';

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
