import { describe, expect, it } from '@jest/globals';
import { QueueGoneError } from '../../../lib/coordination/queues.ts';
import { createSqsQueues } from '../../../lib/coordination/sqs/index.ts';

const URL = 'http://localhost/queue';

type Json = ReturnType<typeof JSON.parse>;

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Queues whose service answers with `body` after a moment; reports the requests, and the number of answers. */
function createAnswering(given: Json | ((target: string) => [Json, number]), status = 200) {
  const asked: { readonly target: string; readonly body: Json }[] = [];
  const signals: unknown[] = [];
  const answered = { count: 0 };
  const requestHandler = {
    handle: async ({ headers, body: sent }: Sent, { abortSignal }: { readonly abortSignal?: unknown }) => {
      signals.push(abortSignal);
      const text = new TextDecoder().decode(sent);
      const target = headers['x-amz-target']?.split('.')[1] ?? '';
      asked.push({ target, body: JSON.parse(text) });
      const [body, statusCode] = typeof given === 'function' ? given(target) : [given, status];
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      answered.count += 1;
      const encoded = new TextEncoder().encode(JSON.stringify(body));
      return { response: { statusCode, headers: { 'content-type': 'application/json' }, body: encoded } };
    },
  };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const config = { region: 'us-east-1', credentials, maxAttempts: 1, md5: false as const, requestHandler };
  return { asked, answered, signals, queues: createSqsQueues({ config: config as never }) };
}

const GONE = { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'gone' };
const GONE_AS_BEFORE = { __type: 'AWS.SimpleQueueService.NonExistentQueue', message: 'gone' };
const DENIED = { __type: 'AccessDenied', message: 'no' };
const messages = [{ body: 'a' }, { body: 'b', group: 'g', deduplication: 'd', attributes: { key: 'value' } }];

describe('queues over SQS', () => {
  it('createQueue creates a queue and returns its URL', async () => {
    const { asked, queues } = createAnswering({ QueueUrl: URL });
    expect(await queues.create('q', { attributes: { FifoQueue: 'true' }, tags: { t: 'v' } })).toBe(URL);
    expect(asked).toEqual([
      {
        target: 'CreateQueue',
        body: { QueueName: 'q', Attributes: { FifoQueue: 'true' }, tags: { t: 'v' } },
      },
    ]);
    const none = createAnswering({}).queues.create('q', { attributes: {}, tags: {} });
    await expect(none).rejects.toThrow('SQS gave no URL for q');
  });

  it.each([
    'com.amazonaws.sqs#QueueNameExists',
    'AWS.SimpleQueueService.QueueNameExists',
    'QueueAlreadyExists',
  ])('createQueue reuses an existing queue and sets the requested policy: %s', async (__type) => {
    const { asked, queues } = createAnswering((target: string) => {
      if (target === 'CreateQueue') return [{ __type, message: 'another' }, 400];
      return [target === 'GetQueueUrl' ? { QueueUrl: URL } : {}, 200];
    });
    expect(await queues.create('q', { attributes: { Policy: 'p' }, tags: {} })).toBe(URL);
    expect(asked.slice(1)).toEqual([
      { target: 'GetQueueUrl', body: { QueueName: 'q' } },
      { target: 'SetQueueAttributes', body: { QueueUrl: URL, Attributes: { Policy: 'p' } } },
    ]);
    asked.length = 0;
    expect(await queues.create('q', { attributes: {}, tags: {} })).toBe(URL);
    expect(asked.map(({ target }) => target)).toEqual(['CreateQueue', 'GetQueueUrl']);
    const denied = createAnswering(DENIED, 400);
    await expect(denied.queues.create('q', { attributes: {}, tags: {} })).rejects.toThrow('no');
    expect(denied.asked.map(({ target }) => target)).toEqual(['CreateQueue']);
  });

  it('The policy of a queue is set', async () => {
    const { answered, asked, queues } = createAnswering({});
    await queues.permit(URL, 'p');
    expect(answered.count).toBe(1);
    expect(asked).toEqual([
      { target: 'SetQueueAttributes', body: { QueueUrl: URL, Attributes: { Policy: 'p' } } },
    ]);
  });

  it('A delete ends after the queue is deleted, also for a missing queue', async () => {
    const { answered, queues } = createAnswering({});
    await queues.delete(URL);
    expect(answered.count).toBe(1);
    await createAnswering(GONE, 400).queues.delete(URL);
    await expect(createAnswering(DENIED, 400).queues.delete(URL)).rejects.toThrow('no');
  });

  it.each([GONE, GONE_AS_BEFORE])('A missing queue is recognized: %j', async (error) => {
    const { queues } = createAnswering(error, 400);
    expect(await queues.attributes(URL)).toBeUndefined();
    await expect(queues.sendBatch(URL, messages)).rejects.toThrow(QueueGoneError);
  });

  it('The attributes of an existing queue are returned', async () => {
    const { queues } = createAnswering({ Attributes: { FifoQueue: 'true' } });
    expect(await queues.attributes(URL)).toEqual({ FifoQueue: 'true' });
    await expect(createAnswering(DENIED, 400).queues.attributes(URL)).rejects.toThrow('no');
  });

  it('The rejected messages are returned', async () => {
    const { asked, queues } = createAnswering({ Successful: [{ Id: '1', MessageId: 'm' }] });
    expect(await queues.sendBatch(URL, messages)).toEqual([0]);
    expect(asked[0]?.body.Entries).toEqual([
      { Id: '0', MessageBody: 'a' },
      {
        Id: '1',
        MessageBody: 'b',
        MessageGroupId: 'g',
        MessageDeduplicationId: 'd',
        MessageAttributes: { key: { DataType: 'String', StringValue: 'value' } },
      },
    ]);
    expect(await createAnswering({}).queues.sendBatch(URL, messages)).toEqual([0, 1]);
  });

  it('A send ends within its given time', async () => {
    const { queues, signals } = createAnswering({});
    const { signal } = new AbortController();
    await queues.sendBatch(URL, messages, signal);
    await queues.sendBatch(URL, messages);
    expect(signals).toEqual([signal, undefined]);
  });
});

describe('A received message', () => {
  it('A delete of a message ends after the queue answered', async () => {
    const { answered, asked, queues } = createAnswering({});
    await queues.receipts.delete(URL, ['r', 's']);
    expect(answered.count).toBe(1);
    expect(asked[0]?.body.Entries).toEqual([
      { Id: '0', ReceiptHandle: 'r' },
      { Id: '1', ReceiptHandle: 's' },
    ]);
  });

  it('A message becomes visible again after whole seconds, or the failure is reported', async () => {
    const { asked, queues } = createAnswering({});
    await queues.receipts.showAgain(URL, ['r'], 1_001);
    expect(asked[0]?.body.Entries).toEqual([{ Id: '0', ReceiptHandle: 'r', VisibilityTimeout: 2 }]);
    const failing = createAnswering({ Failed: [{ Id: '0', Code: 'X', Message: 'y', SenderFault: true }] });
    await expect(failing.queues.receipts.showAgain(URL, ['r'], 0)).rejects.toThrow('later: X y');
  });
});
