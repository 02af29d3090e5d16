import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Clock, mapBounded, TABLE, TIMING } from '../../platform/index.ts';
import type {
  Condition,
  Conditional,
  Key,
  QueryPage,
  QueryRequest,
  Row,
  Table,
  TransactItem,
  TransactOutcome,
} from '../table.ts';
import { isRefused, isThrottled, translate } from './errors.ts';
import { conditionParameters, rangeParameters, updateParameters } from './expressions.ts';

export interface DynamoTableOptions {
  readonly tableName: string;
  readonly clock: Clock;
  /** For another endpoint or credentials than the environment's. */
  readonly config?: DynamoDBClientConfig;
}

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

const KEYS_IN_ONE_BATCH = 100;
const BATCHES_AT_ONCE = 4;
const UNPROCESSED_PAUSE = 50;

/** The Table over DynamoDB. Errors of the service are translated here, once. */
export function createDynamoTable(options: DynamoTableOptions): Table {
  const { tableName: TableName, clock } = options;
  const client = documentClient(options.config, 4);
  // An ADD whose answer was lost must not be repeated by the SDK: it would allot twice.
  const once = documentClient(options.config, 1);

  return {
    async get(Key) {
      const { Item } = await translated(
        client.send(new GetCommand({ TableName, Key, ConsistentRead: true })),
      );
      return Item as Row | undefined;
    },
    query: (request) => translated(query(client, TableName, request)),
    async batchGet(keys) {
      const batches = chunks(keys, KEYS_IN_ONE_BATCH);
      const rows = await mapBounded(batches, BATCHES_AT_ONCE, (batch) =>
        translated(batchGet({ client, TableName, clock }, batch)),
      );
      return rows.flat();
    },
    put: (Item, condition) =>
      conditional(client.send(new PutCommand({ TableName, Item, ...guarded(condition) })), () => ({})),
    update: (Key, change) =>
      conditional(
        (change.add === undefined ? client : once).send(
          new UpdateCommand({
            TableName,
            Key,
            ...updateParameters(change),
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
        ({ Attributes }) => ({ row: Attributes as Row }),
      ),
    delete: (Key, condition) =>
      conditional(client.send(new DeleteCommand({ TableName, Key, ...guarded(condition) })), () => ({})),
    transact: (items, abortSignal) => transact(client, TableName, items, abortSignal),
  };
}

function documentClient(
  config: DynamoDBClientConfig | undefined,
  maxAttempts: number,
): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: TIMING.grace, throwOnRequestTimeout: true },
    ...config,
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

async function query(
  client: DynamoDBDocumentClient,
  TableName: string,
  request: QueryRequest,
): Promise<QueryPage> {
  const index = request.index === TABLE.byLabel.name ? TABLE.byLabel : TABLE.byLabelKey;
  const keys = request.index === undefined ? TABLE : index;
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName,
      IndexName: request.index,
      ...rangeParameters({ ...request, partitionKey: keys.partitionKey, sortKey: keys.sortKey }),
      ScanIndexForward: request.descending !== true,
      Limit: request.limit,
      ConsistentRead: request.index === undefined,
    }),
  );
  return { rows: Items as Row[], more: LastEvaluatedKey !== undefined };
}

interface BatchGetOptions {
  readonly client: DynamoDBDocumentClient;
  readonly TableName: string;
  readonly clock: Clock;
}

async function batchGet({ client, TableName, clock }: BatchGetOptions, keys: readonly Key[]): Promise<Row[]> {
  const rows: Row[] = [];
  let Keys: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
  for (let pause = UNPROCESSED_PAUSE; Keys.length > 0; ) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
    );
    const answered = (Responses?.[TableName] ?? []) as Row[];
    rows.push(...answered);
    Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
    // 16 MB an answer leaves keys unprocessed too: only an answer with nothing in it means throttling.
    if (Keys.length === 0 || answered.length > 0) continue;
    await clock.sleep(pause);
    pause *= 2;
  }
  return rows;
}

async function transact(
  client: DynamoDBDocumentClient,
  TableName: string,
  items: readonly TransactItem[],
  abortSignal: AbortSignal,
): Promise<TransactOutcome> {
  const TransactItems = items.map((item) => transactItem(TableName, item));
  try {
    await client.send(new TransactWriteCommand({ TransactItems }), { abortSignal });
    return { outcome: 'committed' };
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      return {
        outcome: 'cancelled',
        throttled: error.CancellationReasons?.some(({ Code }) => isThrottled(Code)),
      };
    }
    if (isRefused(error)) throw error;
    return { outcome: 'unknown', throttled: error instanceof Error && isThrottled(error.name) };
  }
}

function transactItem(TableName: string, item: TransactItem): TransactItems[number] {
  const condition = conditionParameters(item.condition);
  if ('put' in item) return { Put: { TableName, Item: item.put, ...condition } };
  if ('delete' in item) return { Delete: { TableName, Key: item.delete, ...condition } };
  return { ConditionCheck: { TableName, Key: item.check, ConditionExpression: '', ...condition } };
}

function guarded(condition: Condition | undefined) {
  return condition === undefined
    ? {}
    : { ...conditionParameters(condition), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
}

/** A lost condition is a result; so is meeting a transaction in progress. */
async function conditional<Answer, Result>(
  request: Promise<Answer>,
  read: (answer: Answer) => Result,
): Promise<Conditional & Result> {
  try {
    return { outcome: 'done', ...read(await request) };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      const existing = error.Item === undefined ? undefined : (unmarshall(error.Item) as Row);
      return { outcome: 'failed', existing } as Conditional & Result;
    }
    if (error instanceof TransactionConflictException) return { outcome: 'busy' } as Conditional & Result;
    throw translate(error);
  }
}

async function translated<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw translate(error);
  }
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
