import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Clock, TABLE } from '../../../../lib/platform/index.ts';
import { createDynamoTable } from '../../../../lib/store/dynamodb/index.ts';
import {
  OutOfTimeError,
  StorageFullError,
  type Table,
  ThrottledError,
  UnavailableError,
} from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { Gauge } from '../../../support/gauge.ts';

/** A request as it went over the wire: the operation and its input. */
interface Sent {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

/** What the service answers: a body, an error's name, or nothing because the connection broke. */
type Answer =
  | { readonly body: object }
  | { readonly error: string; readonly status?: number; readonly details?: object }
  | 'broken'
  | 'silence';

/** As the embedded database answers it. */
const FULL: Answer = {
  error: 'InternalServerError',
  status: 500,
  details: { message: 'commit failed (backend: database or disk is full) and rollback also failed' },
};

let sent: Sent[];
let answers: Answer[];
let clock: VirtualClock;
let table: Table;

/** Before each answer. */
let beforeAnswer: () => Promise<void>;
let credentials: DynamoDBClientConfig['credentials'];

beforeEach(() => {
  sent = [];
  answers = [];
  beforeAnswer = async () => {};
  credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  clock = createVirtualClock();
  table = tableWith(clock);
});

function tableWith(itsClock: Clock): Table {
  const requestHandler: DynamoDBClientConfig['requestHandler'] = {
    handle: async (
      { headers, body }: { headers: Record<string, string>; body: Uint8Array },
      { abortSignal }: { abortSignal?: AbortSignal },
    ) => {
      sent.push({
        operation: headers['x-amz-target']?.split('.')[1] ?? '',
        input: JSON.parse(new TextDecoder().decode(body)),
      });
      const answer = answers.shift() ?? { body: {} };
      await beforeAnswer();
      if (answer === 'silence') await aborted(abortSignal);
      return { response: respond(answer) };
    },
  };
  const config = { endpoint: 'http://localhost:1', region: 'us-east-1', credentials, requestHandler };
  return createDynamoTable({ tableName: 'winnow', clock: itsClock, config });
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) =>
    signal?.addEventListener('abort', () =>
      reject(Object.assign(new Error('aborted'), { name: 'AbortError' })),
    ),
  );
}

function respond(answer: Answer) {
  if (answer === 'broken' || answer === 'silence') {
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  }
  const failed = 'error' in answer;
  const body = failed
    ? { __type: `com.amazonaws.dynamodb.v20120810#${answer.error}`, message: 'no', ...answer.details }
    : answer.body;
  return {
    statusCode: failed ? (answer.status ?? 400) : 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

const key = (sk: string) => ({ pk: 'p', sk });
const marshalled = (sk: string) => ({ pk: { S: 'p' }, sk: { S: sk } });
const operations = () => sent.map(({ operation }) => operation);

describe('the DynamoDB adapter', () => {
  it('reads the table consistently, and the indexes eventually, because they allow no other', async () => {
    await table.get(key('a'));
    await table.query({ partition: 'p', from: 'a', to: 'b' });
    for (const index of ['slot-7', 'overflow'] as const) {
      await table.query({ index, partition: 'p', from: 'a', to: 'b' });
    }
    expect(sent.map(({ input }) => input.ConsistentRead)).toEqual([true, true, false, false]);
  });

  it('distinguishes an existing row from a missing one', async () => {
    answers = [{ body: { Item: marshalled('a') } }, { body: {} }];
    expect(await table.get(key('a'))).toEqual(key('a'));
    expect(await table.get(key('b'))).toBeUndefined();
  });

  it('queries an index by its own keys, in either direction', async () => {
    const range = { partition: 'p', from: 'a', to: 'b' };
    await table.query(range);
    await table.query({ ...range, index: 'slot-7', descending: true });
    await table.query({ ...range, index: TABLE.overflow.name, descending: false });
    const asked = sent.map(({ input }) => [
      input.IndexName,
      Object.values(input.ExpressionAttributeNames ?? {}),
      input.ScanIndexForward,
    ]);
    expect(asked).toEqual([
      [undefined, [TABLE.partitionKey, TABLE.sortKey], true],
      ['slot-7', ['pk', 'v7'], false],
      ['overflow', ['k', 'v'], true],
    ]);
  });

  it('reports whether a query has more rows', async () => {
    answers = [{ body: { Items: [marshalled('a')], LastEvaluatedKey: marshalled('a') } }, { body: {} }];
    const range = { partition: 'p', from: 'a', to: 'b' };
    expect(await table.query(range)).toEqual({ rows: [key('a')], more: true });
    expect(await table.query(range)).toEqual({ rows: [], more: false });
  });

  it('sends conditions only if there are any, and returns the row of an update', async () => {
    answers = [{ body: {} }, { body: {} }, { body: { Attributes: marshalled('a') } }, { body: {} }];
    await table.put(key('a'), [{ missing: 'pk' }]);
    await table.put(key('a'));
    expect(sent.map(({ input }) => input.ConditionExpression)).toEqual([
      'attribute_not_exists(#n0)',
      undefined,
    ]);
    expect(await table.update(key('a'), { add: { rv: 1 } })).toEqual({ outcome: 'done', row: key('a') });
    expect(await table.update(key('a'), { add: { rv: 1 } })).toEqual({ outcome: 'done' });
  });

  it('reads many rows in batches of a hundred, four at a time', async () => {
    const gauge = new Gauge();
    beforeAnswer = () => gauge.slowly(20, () => {});
    await table.batchGet(Array.from({ length: 501 }, (_, at) => key(`${at}`)));
    expect(operations()).toEqual(Array(6).fill('BatchGetItem'));
    expect(gauge.most).toBe(4);
  });

  it('pauses before it requests unprocessed keys again', async () => {
    const owned = new OwnedClock();
    answers = [{ body: { UnprocessedKeys: { winnow: { Keys: [marshalled('a')] } } } }];
    const rows = tableWith(owned).batchGet([key('a')]);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(sent).toHaveLength(1);
    owned.advance(50);
    expect(await rows).toEqual([]);
    expect(sent).toHaveLength(2);
  });

  it('loads credentials once for all transactions, and once for all other requests', async () => {
    let count = 0;
    credentials = async () => {
      count += 1;
      return { accessKeyId: 'local', secretAccessKey: 'local' };
    };
    const own = tableWith(clock);
    for (let turn = 0; turn < 3; turn += 1) {
      await own.get(key('a'));
      await own.transact([{ put: key('a') }], AbortSignal.timeout(5_000));
    }
    expect(count).toBe(2);
  });

  it('requests the unprocessed keys of a batch again, and pauses only if none was processed', async () => {
    const answer = (rows: string[], left: string[]): Answer => ({
      body: {
        Responses: { winnow: rows.map(marshalled) },
        UnprocessedKeys:
          left.length > 0 ? { winnow: { Keys: left.map(marshalled), ConsistentRead: true } } : {},
      },
    });
    answers = [
      answer(['a'], ['b', 'c']),
      answer([], ['b', 'c']),
      answer(['b'], ['c']),
      answer([], ['c']),
      answer(['c'], []),
    ];
    const began = clock.now();
    const rows = await table.batchGet(['a', 'b', 'c'].map(key));
    expect(rows.map(({ sk }) => sk)).toEqual(['a', 'b', 'c']);
    expect(clock.now() - began).toBe(50 + 100);
  });

  it('gives up a batch whose keys stay unprocessed', async () => {
    const nothing: Answer = { body: { UnprocessedKeys: { winnow: { Keys: [marshalled('a')] } } } };
    answers = Array<Answer>(20).fill(nothing);
    await expect(table.batchGet([key('a')])).rejects.toThrow(ThrottledError);
    expect(sent).toHaveLength(6);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['GetItem', () => table.get(key('a'))],
    ['Query', () => table.query({ partition: 'p', from: 'a', to: 'b' })],
    ['BatchGetItem', () => table.batchGet([key('a')])],
    ['PutItem', () => table.put(key('a'))],
    ['UpdateItem', () => table.update(key('head'), { add: { rv: 1 } })],
    ['DeleteItem', () => table.delete(key('a'))],
  ])('sends a %s once and leaves retries to the caller', async (operation, ask) => {
    answers = ['broken'];
    await expect(ask()).rejects.toThrow(UnavailableError);
    expect(operations()).toEqual([operation]);
  });

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['GetItem', (signal) => table.get(key('a'), signal)],
    ['Query', (signal) => table.query({ partition: 'p', from: 'a', to: 'b' }, signal)],
    ['BatchGetItem', (signal) => table.batchGet([key('a')], signal)],
    ['PutItem', (signal) => table.put(key('a'), undefined, signal)],
    ['UpdateItem', (signal) => table.update(key('head'), { add: { rv: 1 } }, signal)],
    ['DeleteItem', (signal) => table.delete(key('a'), undefined, signal)],
  ])('aborts a %s at its deadline', async (_, ask) => {
    answers = ['silence'];
    const deadline = new AbortController();
    const asked = ask(deadline.signal);
    while (sent.length === 0) await new Promise(setImmediate);
    deadline.abort();
    await expect(asked).rejects.toThrow(OutOfTimeError);
  });

  it('reports an unknown outcome for a transaction that passes its deadline', async () => {
    answers = ['silence'];
    const deadline = new AbortController();
    const outcome = table.transact([{ put: key('a') }], deadline.signal);
    while (sent.length === 0) await new Promise(setImmediate);
    deadline.abort();
    expect(await outcome).toEqual({ outcome: 'unknown', throttled: false });
  });

  it.each([
    ['InternalServerError', 500],
    ['ServiceUnavailable', 503],
    ['RequestTimeout', 400],
  ])('treats %s as no answer', async (error, status) => {
    answers = [{ error, status }];
    await expect(table.get(key('a'))).rejects.toThrow(UnavailableError);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a put', () => table.put(key('a'))],
    ['an update', () => table.update(key('a'), { add: { n: 1 } })],
    ['a transaction', () => table.transact([{ put: key('a') }], AbortSignal.timeout(5_000))],
  ])('reports for %s that the local disk is full, and does not retry', async (_, write) => {
    answers = Array<Answer>(4).fill(FULL);
    await expect(write()).rejects.toThrow(StorageFullError);
    expect(sent).toHaveLength(1);
  });

  it('reports an unknown outcome for a transaction that finds the disk full after an unanswered attempt', async () => {
    answers = ['broken', FULL, { body: {} }];
    expect(await table.transact([{ put: key('a') }], AbortSignal.timeout(5_000))).toEqual({
      outcome: 'unknown',
      throttled: false,
    });
  });

  it('repeats a transaction with the same token, so that it commits once', async () => {
    answers = ['broken', { body: {} }];
    expect(await table.transact([{ put: key('a') }], AbortSignal.timeout(5_000))).toEqual({
      outcome: 'committed',
    });
    const [first, second] = sent.map(({ input }) => input.ClientRequestToken);
    expect(first).toEqual(expect.stringMatching(/.{8}/));
    expect(second).toBe(first);
  });

  it('reports an unknown outcome for a transaction that is throttled after an unanswered attempt', async () => {
    answers = ['broken', { error: 'ThrottlingException' }, { body: {} }];
    expect(await table.transact([{ put: key('a') }], AbortSignal.timeout(5_000))).toEqual({
      outcome: 'unknown',
      throttled: true,
    });
    expect(sent).toHaveLength(2);
  });

  it.each<[string, string, object, object]>([
    [
      'cancelled',
      'TransactionCanceledException',
      { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] },
      { throttled: false },
    ],
    [
      'cancelled',
      'TransactionCanceledException',
      { CancellationReasons: [{ Code: 'None' }] },
      { throttled: false },
    ],
    [
      'cancelled',
      'TransactionCanceledException',
      { CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }] },
      { throttled: true },
    ],
    [
      'cancelled',
      'TransactionCanceledException',
      { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'ThrottlingError' }] },
      { throttled: false },
    ],
    ['cancelled', 'ThrottlingException', {}, { throttled: true }],
    ['unknown', 'IdempotentParameterMismatchException', {}, { throttled: false }],
  ])('reports a transaction as %s after a %s', async (outcome, error, details, expected) => {
    answers = Array<Answer>(4).fill({ error, details });
    const answer = await table.transact([{ put: key('a') }], AbortSignal.timeout(5_000));
    expect(answer).toEqual({ outcome, ...expected });
  });

  it.each<[string, Answer]>([
    ['of the whole request', { error: 'ValidationException' }],
    [
      'of one of its items',
      {
        error: 'TransactionCanceledException',
        details: { CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }] },
      },
    ],
  ])('throws a validation error %s', async (_, answer) => {
    answers = [answer];
    await expect(table.transact([{ put: key('a') }], AbortSignal.timeout(5_000))).rejects.toThrow('no');
  });

  it('distinguishes a contended row in a transaction from a failed condition', async () => {
    answers = [
      { error: 'TransactionConflictException' },
      { error: 'ConditionalCheckFailedException', details: { Item: { ...marshalled('a'), rv: { N: '7' } } } },
      { error: 'ConditionalCheckFailedException' },
    ];
    const condition = [{ missing: 'pk' }] as const;
    expect(await table.put(key('a'), condition)).toEqual({ outcome: 'busy' });
    expect(await table.put(key('a'), condition)).toEqual({
      outcome: 'failed',
      existing: { ...key('a'), rv: 7 },
    });
    expect(await table.delete(key('a'), condition)).toEqual({ outcome: 'failed' });
  });

  it.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
    'treats %s as throttling',
    async (error) => {
      answers = [{ error }];
      await expect(table.update(key('head'), { add: { rv: 1 } })).rejects.toThrow(ThrottledError);
    },
  );
});
