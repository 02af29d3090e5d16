import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  type DynamoDBClientConfig,
  type DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactionConflictException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Clock, mapBounded, TABLE } from '../../platform/index.ts';
import { ThrottledError } from '../errors.ts';
import type {
  Condition,
  Conditional,
  Key,
  MeteredTable,
  QueryPage,
  QueryRequest,
  Reading,
  Row,
  TransactItem,
  TransactOutcome,
} from '../table.ts';
import { createClient } from './client.ts';
import {
  isInvalid,
  isRefused,
  isStorageFull,
  isThrottled,
  isThrottledOnly,
  storageFull,
  translate,
} from './errors.ts';
import { conditionParameters, rangeParameters, updateParameters } from './expressions.ts';
import { type Item, keyItem, toItem, toRow } from './items.ts';
import { meteredClient } from './metered-client.ts';
import { UnansweredRetryStrategy } from './unanswered-retry.ts';
import { rowsOf } from './wire-answers.ts';

export interface DynamoTableOptions {
  readonly tableName: string;
  readonly clock: Clock;
  /** For an endpoint or credentials other than the environment's. */
  readonly config?: DynamoDBClientConfig;
}

type TransactItems = NonNullable<TransactWriteItemsCommandInput['TransactItems']>;

const KEYS_IN_ONE_BATCH = 100;
const BATCHES_AT_ONCE = 4;
/** The pauses after empty batch answers: 50, 100 … 800 ms. */
const UNPROCESSED_PAUSE = 50;
const UNPROCESSED_PAUSES = 5;
/** The maximum number of tries of one transaction, all with one token: DynamoDB executes it once. */
const TRANSACTION_TRIES = 4;

/** The {@link Table} over DynamoDB. It translates the service's errors. */
export function createDynamoTable(options: DynamoTableOptions): MeteredTable {
  const { tableName: TableName, clock } = options;
  // The SDK's own retries would not know the request's deadline. They would also repeat an ADD whose answer was lost.
  const client = createClient({ maxAttempts: 1, ...options.config });
  const retryStrategy = new UnansweredRetryStrategy(TRANSACTION_TRIES);
  // Created on first use: read-only functions start without it.
  let made: DynamoDBClient | undefined;
  const transacting = () => {
    made ??= createClient({ retryStrategy, ...options.config });
    return made;
  };
  return tableOver({ TableName, clock, client, transacting });
}

interface Connection {
  readonly TableName: string;
  readonly clock: Clock;
  readonly client: DynamoDBClient;
  readonly transacting: () => DynamoDBClient;
}

function tableOver(connection: Connection): MeteredTable {
  const { TableName, clock, client, transacting } = connection;
  return {
    metered: (report) =>
      tableOver({
        ...connection,
        client: meteredClient(client, report),
        transacting: () => meteredClient(transacting(), report),
      }),
    async get(key, abortSignal, reading) {
      const ConsistentRead = reading !== 'eventual';
      const command = new GetItemCommand({ TableName, Key: keyItem(key), ConsistentRead });
      return rowsOf(await translated(client.send(command, { abortSignal }), abortSignal))[0];
    },
    query: (request, abortSignal) =>
      translated(query({ client, TableName, abortSignal }, request), abortSignal),
    async batchGet(keys, abortSignal, reading = 'consistent') {
      const batches = chunks(keys, KEYS_IN_ONE_BATCH);
      const rows = await mapBounded(batches, BATCHES_AT_ONCE, (batch) =>
        translated(batchGet({ client, TableName, clock, abortSignal, reading }, batch), abortSignal),
      );
      return rows.flat();
    },
    put(row, condition, abortSignal) {
      const command = new PutItemCommand({ TableName, Item: toItem(row), ...guarded(condition) });
      return conditional(client.send(command, { abortSignal }), abortSignal);
    },
    update(key, change, abortSignal) {
      const command = new UpdateItemCommand({
        TableName,
        Key: keyItem(key),
        ...updateParameters(change),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return conditional(client.send(command, { abortSignal }), abortSignal);
    },
    delete(key, condition, abortSignal) {
      const command = new DeleteItemCommand({ TableName, Key: keyItem(key), ...guarded(condition) });
      return conditional(client.send(command, { abortSignal }), abortSignal);
    },
    transact: (items, abortSignal) => transact({ client: transacting(), TableName, abortSignal }, items),
  };
}

/** The client and parameters of one call. */
interface Asking {
  readonly client: DynamoDBClient;
  readonly TableName: string;
  readonly abortSignal: AbortSignal | undefined;
}

async function query({ client, TableName, abortSignal }: Asking, request: QueryRequest): Promise<QueryPage> {
  const keys = TABLE.indexes.find(({ name }) => name === request.index) ?? TABLE;
  const answer = await client.send(
    new QueryCommand({
      TableName,
      IndexName: request.index,
      ...rangeParameters({ ...request, partitionKey: keys.partitionKey, sortKey: keys.sortKey }),
      ScanIndexForward: request.descending !== true,
      Limit: request.limit,
      ConsistentRead: request.index === undefined,
    }),
    { abortSignal },
  );
  return { rows: rowsOf(answer), more: answer.LastEvaluatedKey !== undefined };
}

interface BatchAsking extends Asking {
  readonly clock: Clock;
  readonly reading: Reading;
}

async function batchGet(
  { client, TableName, clock, abortSignal, reading }: BatchAsking,
  keys: readonly Key[],
): Promise<Row[]> {
  const rows: Row[] = [];
  let pauses = 0;
  let Keys: Item[] = keys.map(keyItem);
  const ConsistentRead = reading !== 'eventual';
  while (Keys.length > 0) {
    const answer = await client.send(
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead } } }),
      { abortSignal },
    );
    const answered = rowsOf(answer);
    for (const row of answered) rows.push(row);
    Keys = answer.UnprocessedKeys?.[TableName]?.Keys ?? [];
    // Keys also stay unprocessed because an answer holds 16 MB at most. Only an empty answer means throttling.
    if (Keys.length === 0 || answered.length > 0) continue;
    if (pauses === UNPROCESSED_PAUSES) throw new ThrottledError(`${Keys.length} keys stay unprocessed`);
    await clock.sleep(UNPROCESSED_PAUSE * 2 ** pauses, abortSignal);
    pauses += 1;
  }
  return rows;
}

async function transact(
  { client, TableName, abortSignal }: Asking,
  items: readonly TransactItem[],
): Promise<TransactOutcome> {
  const TransactItems = items.map((item) => transactItem(TableName, item));
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems }), { abortSignal });
    return { outcome: 'committed' };
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      if (isInvalid(error.CancellationReasons)) throw error;
      return { outcome: 'cancelled', throttled: isThrottledOnly(error.CancellationReasons) };
    }
    if (isRefused(error)) throw error;
    const { name, $metadata } = error as Partial<DynamoDBServiceException>;
    if (isStorageFull(error) && $metadata?.attempts === 1) throw storageFull(error);
    const throttled = isThrottled(name);
    // An earlier try without an answer may have committed.
    return { outcome: throttled && $metadata?.attempts === 1 ? 'cancelled' : 'unknown', throttled };
  }
}

function transactItem(TableName: string, item: TransactItem): TransactItems[number] {
  const condition = conditionParameters(item.condition);
  if ('put' in item) return { Put: { TableName, Item: toItem(item.put), ...condition } };
  if ('delete' in item) return { Delete: { TableName, Key: keyItem(item.delete), ...condition } };
  if ('update' in item) {
    return { Update: { TableName, Key: keyItem(item.update), ...updateParameters(item) } };
  }
  return { ConditionCheck: { TableName, Key: keyItem(item.check), ConditionExpression: '', ...condition } };
}

function guarded(condition: Condition | undefined) {
  return condition === undefined
    ? {}
    : { ...conditionParameters(condition), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
}

/** A failed condition is a result, and so is a conflict with a transaction in progress. */
async function conditional(
  request: Promise<{ readonly Attributes?: Item | undefined }>,
  abortSignal: AbortSignal | undefined,
): Promise<Conditional & { row?: Row }> {
  try {
    const { Attributes } = await request;
    return { outcome: 'done', ...(Attributes === undefined ? {} : { row: toRow(Attributes) }) };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return { outcome: 'failed', existing: error.Item && toRow(error.Item) };
    }
    if (error instanceof TransactionConflictException) return { outcome: 'busy' };
    throw translate(error, abortSignal);
  }
}

async function translated<Answer>(
  request: Promise<Answer>,
  abortSignal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw translate(error, abortSignal);
  }
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
