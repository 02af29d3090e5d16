import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import {
  ChangeMessageVisibilityCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { root } from '../../../infra/bundle/files.ts';
import { type Database, startDatabase } from '../../../infra/local/data/database.ts';
import { type Definition, readDefinition } from '../../../infra/local/definition.ts';
import { pollQueue } from '../../../infra/local/queue-source.ts';
import { type Queues, startQueues } from '../../../infra/local/queues.ts';
import { createResources } from '../../../infra/local/resources.ts';
import { type Checkpoint, openCheckpoint } from '../../../infra/local/stream-checkpoint.ts';
import { pollStream } from '../../../infra/local/stream-source.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { synthesized } from './synthesized.ts';

const region = 'us-east-1';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const TableName = 'Winnow-StorageSlotted3EB6A636';

let directory: string;
let database: Database;
let queues: Queues;
let dynamodb: DynamoDBClient;
let sqs: SQSClient;
let definition: Definition;

async function start(): Promise<void> {
  database = await startDatabase({ dataDirectory: directory });
  dynamodb = new DynamoDBClient({ endpoint: database.endpoint, region, credentials });
  const template = await synthesized();
  const sqsEndpoint = queues.endpoint;
  const physical = await createResources({ template, dynamodb, sqs, sqsEndpoint, region });
  database.tune();
  definition = readDefinition(template, physical);
}

async function stop(): Promise<void> {
  dynamodb.destroy();
  await database.stop();
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  queues = await startQueues({ region });
  sqs = new SQSClient({ endpoint: queues.endpoint, region, credentials });
  await start();
});

afterAll(async () => {
  await stop();
  sqs.destroy();
  await queues.stop();
  await rm(directory, { recursive: true });
});

const key = (pk: string, sk = '1') => ({ pk: { S: pk }, sk: { S: sk } });
const put = (pk: string, sk?: string) => dynamodb.send(new PutItemCommand({ TableName, Item: key(pk, sk) }));

/** Resolves when the condition holds; rejects after ten seconds. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await condition()); waited += 20) {
    if (waited > 10_000) throw new Error('it did not happen');
    await sleep(20);
  }
}

/** The processes of a program that were started with the file of a folder. */
async function processesOf(program: string, folder: string): Promise<number[]> {
  const found = await Promise.all(
    (await readdir('/proc')).filter(Number).map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const [name = '', ...args] = line.split('\0');
      return basename(name) === program && args.includes(join(folder, 'table.sqlite')) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

describe('the embedded database', () => {
  it('the embedded database keeps the table when it is killed', async () => {
    await put('object#core/pods');
    await stop();
    await start();
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: key('object#core/pods') }));
    expect(Item).toEqual(key('object#core/pods'));
  });

  it('the embedded database listens on an address that differs in each start and no web page can guess', async () => {
    const other = await startDatabase({ dataDirectory: join(directory, 'another') });
    const hosts = [database.endpoint, other.endpoint].map((endpoint) => new URL(endpoint).hostname);
    await other.stop();
    for (const host of hosts) expect(host).toMatch(/^127\.(?!0\.0\.1$)/);
    expect(hosts[0]).not.toBe(hosts[1]);
  });

  it.each(['dynoxide', 'sh'])('the database keeps all data when its %s is killed', async (program) => {
    const restarted = Promise.withResolvers<string>();
    const file = join(directory, `killed-${program}`);
    const killed = await startDatabase({ dataDirectory: file, onRestart: restarted.resolve });
    const client = new DynamoDBClient({ endpoint: killed.endpoint, region, credentials });
    try {
      const Key = { pk: { S: 'a' } };
      const AttributeDefinitions = [{ AttributeName: 'pk', AttributeType: 'S' as const }];
      const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' as const }];
      const of = { TableName: 'Kept', BillingMode: 'PAY_PER_REQUEST' as const };
      await client.send(new CreateTableCommand({ ...of, AttributeDefinitions, KeySchema }));
      await client.send(new PutItemCommand({ TableName: 'Kept', Item: Key }));
      for (const pid of await processesOf(program, file)) process.kill(pid, 'SIGKILL');
      expect(await restarted.promise).toBe(program === 'sh' ? 'SIGKILL' : 'signal 9');
      const { Item } = await client.send(new GetItemCommand({ TableName: 'Kept', Key }));
      expect(Item).toEqual(Key);
      expect(await processesOf('dynoxide', file)).toHaveLength(1);
    } finally {
      client.destroy();
      await killed.stop();
    }
    expect(await processesOf('dynoxide', file)).toEqual([]);
    expect(await processesOf('sh', file)).toEqual([]);
  });

  it('the embedded database reports that it is lost if it cannot be restarted', async () => {
    const file = join(directory, 'spoiled');
    const spoiled = await startDatabase({ dataDirectory: file });
    for (const name of ['table.sqlite', 'table.sqlite-wal', 'table.sqlite-shm']) {
      await rm(join(file, name), { force: true });
    }
    await mkdir(join(file, 'table.sqlite'));
    for (const pid of await processesOf('dynoxide', file)) process.kill(pid, 'SIGKILL');
    expect((await spoiled.lost).message).toMatch('the embedded DynamoDB did not start: ');
    await spoiled.stop();
  });

  it('the embedded database ends with the process that started it, also after a kill', async () => {
    const script = `
      import { startDatabase } from './infra/local/data/database.ts';
      console.log((await startDatabase({ dataDirectory: ${JSON.stringify(join(directory, 'other'))} })).endpoint);
      process.kill(process.pid, 'SIGKILL');`;
    const endpoint = await new Promise<string>((resolve) => {
      const args = ['--input-type=module-typescript', '--eval', script];
      execFile(process.execPath, args, { cwd: root, env: {} }, (_killed, output) => resolve(output.trim()));
    });
    expect(endpoint).toMatch(/^http:\/\/127\.\d+\.\d+\.\d+:\d+$/);
    await until(() =>
      fetch(endpoint).then(
        () => false,
        () => true,
      ),
    );
  });
});

describe('the embedded queues', () => {
  const ask = (headers: Record<string, string>) => {
    const { hostname, port } = new URL(queues.endpoint);
    const body = JSON.stringify({ QueueName: 'made-by-a-page' });
    const given = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.CreateQueue' };
    return new Promise<number | undefined>((resolve, reject) => {
      const asked = request(
        { hostname, port, method: 'POST', headers: { ...given, ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      asked.once('error', reject).end(body);
    });
  };

  it.each<[headers: Record<string, string>, status: number]>([
    [{ host: 'evil.example' }, 421],
    [{ origin: 'http://evil.example' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
  ])('the embedded queues refuse requests of web pages: %j gets %d', async (headers, status) => {
    expect(await ask(headers)).toBe(status);
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'made-by-a-page' }));
    expect(QueueUrls).toEqual([]);
  });

  it('the queue URLs have the host that the client used', async () => {
    expect(await ask({})).toBe(200);
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'made-by-a-page' }));
    expect(QueueUrl).toMatch(`${queues.endpoint}/`);
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  });
});

describe('the emulated queue source', () => {
  it('the queue source deletes handled messages, and keeps failed ones, which the function makes visible again', async () => {
    const source = definition.queueSources.find(({ functionName }) => functionName === 'dispatch');
    if (!source) throw new Error('dispatch has no queue');
    const QueueUrl = source.queueUrl;
    for (const MessageGroupId of ['good', 'bad']) {
      const MessageDeduplicationId = MessageGroupId;
      await sqs.send(
        new SendMessageCommand({
          QueueUrl,
          MessageBody: MessageGroupId,
          MessageGroupId,
          MessageDeduplicationId,
        }),
      );
    }
    const seen: string[] = [];
    const invoke = async (name: string, event: { Records: SQSRecord[] }) => {
      seen.push(...event.Records.map(({ body }) => `${name} ${body}`));
      const failed = event.Records.filter(({ body }) => body === 'bad' && seen.length < 3);
      for (const { receiptHandle: ReceiptHandle } of failed) {
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
      }
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    };
    const controller = new AbortController();
    const options = { source, sqs, region, logger: silentLogger, retryDelay: 0, signal: controller.signal };
    const polling = pollQueue({ ...options, runtime: { invoke: invoke as never } });
    await until(async () => {
      const AttributeNames = ['All' as const];
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      const left = Number(Attributes?.ApproximateNumberOfMessages);
      return left + Number(Attributes?.ApproximateNumberOfMessagesNotVisible) === 0;
    });
    controller.abort();
    await polling;
    expect(seen.sort()).toEqual(['dispatch bad', 'dispatch bad', 'dispatch good']);
  });
});

describe('the emulated stream source', () => {
  it('the stream source delivers only inserts of journal entries, retries failures, and repeats none after a restart', async () => {
    const [source] = definition.streamSources;
    if (!source) throw new Error('relay has no stream');
    await put('journal#core/pods#1', 'a');
    await put('journal#core/pods#1', 'a');
    await put('head#core/pods', 'head');
    await put('journal#core/pods#2', 'b');
    const seen: string[] = [];
    const run = async (enough: number) => {
      const invoke = async (
        _name: string,
        event: { Records: { dynamodb: { Keys: { sk: { S: string } } } }[] },
      ) => {
        if (seen.push('') === 1) throw new Error('boom');
        seen.push(...event.Records.map(({ dynamodb: { Keys } }) => Keys.sk.S));
      };
      const streams = new DynamoDBStreamsClient({ endpoint: database.endpoint, region, credentials });
      const controller = new AbortController();
      const kept = openCheckpoint(directory);
      let saved = 0;
      const set: Checkpoint['set'] = (...position) => {
        kept.set(...position);
        saved += 1;
      };
      const checkpoint = { ...kept, set };
      const options = { source, streams, sqs, checkpoint, logger: silentLogger, signal: controller.signal };
      const polling = pollStream({ ...options, runtime: { invoke: invoke as never } });
      await until(() => seen.filter(Boolean).length >= enough && saved > 0);
      controller.abort();
      await polling;
      streams.destroy();
    };
    await run(2);
    expect(seen.filter(Boolean)).toEqual(['a', 'b']);
    await put('journal#core/pods#3', 'c');
    await run(3);
    expect(seen.filter(Boolean)).toEqual(['a', 'b', 'c']);
  });
});
