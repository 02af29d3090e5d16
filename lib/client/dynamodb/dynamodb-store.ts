import {
  type AttributeValue,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { Position } from '../position.ts';
import { type Entry, REMEMBERED, type ReplicaStore } from '../store.ts';

export interface DynamodbStoreOptions {
  /** A table with the partition key `pk` and the sort key `sk`, both strings; `expires` may be its TTL. */
  readonly table: string;
  /** The replica's name. A table may hold several replicas. */
  readonly name: string;
  /** A `DynamoDBClient` of `@aws-sdk/client-dynamodb`; by default one is created from the environment. */
  readonly client?: { send(command: never): Promise<unknown> };
  readonly now?: () => number;
}

type Item = Record<string, AttributeValue>;

/** The most items that one request may delete. */
const BATCH = 25;

/** Creates a store in a DynamoDB table, for example for a Lambda function, which has no memory between invocations. */
export function createDynamodbStore(options: DynamodbStoreOptions): ReplicaStore {
  const { table: TableName, name, now = Date.now } = options;
  const client = (options.client ?? new DynamoDBClient({})) as DynamoDBClient;
  const positionKey: Item = { pk: { S: name }, sk: { S: 'position' } };
  const partition = (generation: number) => `${name}#${generation}`;
  const keyOf = (generation: number, key: string): Item => ({
    pk: { S: partition(generation) },
    sk: { S: key },
  });

  const get = async (Key: Item) =>
    (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
  const put = async (Item: Item, condition: string, values: Item) => {
    const conditional = { ConditionExpression: condition, ExpressionAttributeValues: values };
    try {
      await client.send(new PutItemCommand({ TableName, Item, ...conditional }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };
  const query = (generation: number) =>
    paginateQuery(
      { client },
      {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: partition(generation) } },
      },
    );

  return {
    readPosition: async () => {
      const value = (await get(positionKey))?.value?.S;
      return value === undefined ? undefined : (JSON.parse(value) as Position);
    },
    writePosition: (position) =>
      put(
        {
          ...positionKey,
          revision: { N: String(position.revision) },
          value: { S: JSON.stringify(position) },
        },
        position.revision === 1 ? 'attribute_not_exists(pk) OR revision = :before' : 'revision = :before',
        { ':before': { N: String(position.revision - 1) } },
      ),
    read: async (generation, key) => {
      const item = await get(keyOf(generation, key));
      return item && entryOf(item);
    },
    put: (generation, { key, version, object }) =>
      put(
        {
          ...keyOf(generation, key),
          edit: { N: String(version.edit) },
          rv: { N: version.rv },
          // TTL counts seconds.
          ...(object === undefined
            ? { expires: { N: String(Math.ceil((now() + REMEMBERED) / 1000)) } }
            : { object: { S: object } }),
        },
        // DynamoDB compares numbers with all their digits.
        'attribute_not_exists(pk) OR edit < :edit OR (edit = :edit AND rv < :rv)',
        { ':edit': { N: String(version.edit) }, ':rv': { N: version.rv } },
      ),
    async *entries(generation) {
      for await (const { Items = [] } of query(generation)) yield* Items.map(entryOf);
    },
    drop: async (generation) => {
      for await (const { Items = [] } of query(generation)) {
        for (let from = 0; from < Items.length; from += BATCH) {
          await deleteAll(client, TableName, Items.slice(from, from + BATCH));
        }
      }
    },
  };
}

async function deleteAll(client: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  let left: WriteRequest[] = items.map(({ pk, sk }) => ({
    DeleteRequest: { Key: { pk: pk ?? { S: '' }, sk: sk ?? { S: '' } } },
  }));
  while (left.length > 0) {
    const command = new BatchWriteItemCommand({ RequestItems: { [table]: left } });
    left = (await client.send(command)).UnprocessedItems?.[table] ?? [];
  }
}

function entryOf({ sk, edit, rv, object }: Item): Entry {
  return {
    key: sk?.S ?? '',
    version: { edit: Number(edit?.N ?? 0), rv: rv?.N ?? '0' },
    object: object?.S,
  };
}
