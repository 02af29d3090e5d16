import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { type Queue, QueueGoneError, queueName, type Received } from './queue.ts';

/** An `SQSClient` of `@aws-sdk/client-sqs`. */
export interface SqsClient {
  send(command: never, options?: never): Promise<unknown>;
}

const GONE = ['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'];

/** The configuration of an `SQSClient`. */
interface SqsClientConfig {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const LOCAL = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
/** The hosts of SQS: `sqs.eu-west-1.amazonaws.com`, in China `sqs.cn-north-1.amazonaws.com.cn`. */
const AWS_HOST = /^sqs(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

/**
 * Creates a queue over the AWS SDK, which is loaded on first use. Lambda functions receive messages in events, and
 * never load it. Without a given client, there is one client for each host of a queue URL ({@link sqsConfigOf}).
 */
export async function openSqsQueue(given?: SqsClient): Promise<Queue> {
  const sdk = await import('@aws-sdk/client-sqs');
  const clients = new Map<string, SQSClient>();
  const clientOf = (url: string): SQSClient => {
    if (given !== undefined) return given as SQSClient;
    const { origin } = new URL(url);
    const client = clients.get(origin) ?? new sdk.SQSClient(sqsConfigOf(url));
    clients.set(origin, client);
    return client;
  };
  return {
    receive: async (QueueUrl, abortSignal) => {
      const asked = new sdk.ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 20,
        MessageAttributeNames: ['All'],
      });
      const { Messages = [] } = await orGone(QueueUrl, clientOf(QueueUrl).send(asked, { abortSignal }));
      return Messages.map((message) => receivedOf(message, queueName(QueueUrl)));
    },
    delete: async (QueueUrl, messages) => {
      const Entries = messages.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
      const deletion = new sdk.DeleteMessageBatchCommand({ QueueUrl, Entries });
      await orGone(QueueUrl, clientOf(QueueUrl).send(deletion));
    },
  };
}

/**
 * Returns the configuration of an SQS client for a queue URL. The URL of a queue on this machine (`winnow start`) is
 * the endpoint, and needs no credentials. The URL of a queue on AWS names its region. Everything else comes from the
 * environment.
 */
export function sqsConfigOf(url: string): SqsClientConfig {
  const { hostname, origin } = new URL(url);
  if (['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return { ...LOCAL, endpoint: origin };
  const [, region] = AWS_HOST.exec(hostname) ?? [];
  return region === undefined ? {} : { region };
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
