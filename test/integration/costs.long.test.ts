import {
  BatchGetItemCommand,
  type ConsumedCapacity,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Blocks, blocksIn, fillPage } from '../costs/blocks.ts';
import type { Counts } from '../costs/counts.ts';
import { type Page, readPages } from '../costs/pages.ts';
import { startTable, type TestTable, tableDefinition } from '../support/store/table.ts';

describe('the costs in the documentation', () => {
  let pages: readonly Page[];
  let blocks: Blocks;
  let counts: Counts;
  beforeAll(async () => {
    ({ pages, blocks, counts } = await readPages());
  });

  it('the costs in the docs equal counts times prices; `npm run costs` writes them', () => {
    for (const { text, due } of pages) expect(text).toBe(due);
  });

  it('a custom kind takes at most one request more than a built-in one', () => {
    const { requests, kind } = counts;
    const more = Object.entries(kind).map(([what, used]) => used.requests - (requests[what]?.requests ?? 0));
    expect(more.length).toBeGreaterThan(8);
    expect(Math.max(...more)).toBeLessThanOrEqual(1);
  });

  it('the docs use every block of costs', () => {
    const used = new Set(pages.flatMap(({ text }) => blocksIn(text)));
    expect([...used].sort()).toEqual(Object.keys(blocks).sort());
  });

  it('fillPage refuses an unknown block', () => {
    expect(() => fillPage('<!-- costs: luck -->\n<!-- /costs -->', blocks)).toThrow('there is no block luck');
  });
});

/**
 * The capacity units that AWS documents. The embedded DynamoDB must consume the same, so that the counts are true.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
describe('the capacity units of the embedded DynamoDB', () => {
  const { TableName } = tableDefinition;
  const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '1' } });
  /** A row in two slot indexes. */
  const indexed = (pk: string, value: string, more = {}) => ({
    ...key(pk),
    v0: { S: value },
    v7: { S: 'b' },
    labels: { S: '{}' },
    ...more,
  });
  const large = { more: { S: 'x'.repeat(1_500) } };
  const counted = { TableName, ReturnConsumedCapacity: 'TOTAL' } as const;
  let table: TestTable;
  let client: DynamoDBClient;
  beforeAll(async () => {
    table = await startTable();
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    client = new DynamoDBClient({ endpoint: table.endpoint, region: 'us-east-1', credentials });
    const rows = ['indexed', 'moved', 'kept', 'relabelled'].map((pk) => indexed(pk, 'a'));
    for (const Item of [{ ...key('large'), ...large }, ...rows]) {
      await client.send(new PutItemCommand({ TableName, Item }));
    }
  });
  afterAll(async () => {
    client.destroy();
    await table.stop();
  });

  type Answer = Promise<{ readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined }>;
  const unitsOf = async (answer: Answer): Promise<number> => {
    const { ConsumedCapacity = [] } = await answer;
    return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  };
  const put = (Item: PutItemCommandInput['Item']) => client.send(new PutItemCommand({ ...counted, Item }));
  const transact = (...TransactItems: TransactWriteItem[]) =>
    client.send(new TransactWriteItemsCommand({ ReturnConsumedCapacity: 'TOTAL', TransactItems }));

  it.each<[what: string, units: number, ask: () => Answer]>([
    ['a unit for each KB that is written', 2, () => put({ ...key('b'), ...large })],
    ['a unit more for each index that a row is in', 3, () => put(indexed('c', 'a'))],
    ['two in an index where the key changes, and none in another', 3, () => put(indexed('indexed', 'b'))],
    [
      'one in each index where what it carries changes',
      3,
      () => put(indexed('relabelled', 'a', { labels: { S: '{"a":""}' } })),
    ],
    [
      'none in an index where neither its key nor what it carries changes',
      1,
      () => put(indexed('kept', 'a', { body: { S: 'changed' } })),
    ],
    [
      'two for each KB in a transaction',
      4,
      () => transact({ Put: { TableName, Item: { ...key('d'), ...large } } }),
    ],
    [
      'one in an index, also in a transaction',
      4,
      () => transact({ Put: { TableName, Item: indexed('e', 'a') } }),
    ],
    [
      'two in an index for a row that moves in it, also there',
      4,
      () => transact({ Put: { TableName, Item: indexed('moved', 'b') } }),
    ],
    [
      'two for a condition in a transaction',
      2,
      () =>
        transact({
          ConditionCheck: { TableName, Key: key('none'), ConditionExpression: 'attribute_not_exists(pk)' },
        }),
    ],
    [
      'a unit for an update',
      1,
      () =>
        client.send(
          new UpdateItemCommand({
            ...counted,
            Key: key('head'),
            UpdateExpression: 'ADD rv :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          }),
        ),
    ],
    [
      'a unit for the consistent read of a row that is not there',
      1,
      () => client.send(new GetItemCommand({ ...counted, Key: key('none'), ConsistentRead: true })),
    ],
    [
      'a unit for each row of a batch, up to 4 KB',
      3,
      () =>
        client.send(
          new BatchGetItemCommand({
            ReturnConsumedCapacity: 'TOTAL',
            RequestItems: {
              [TableName]: { ConsistentRead: true, Keys: ['large', 'c', 'none'].map(key) },
            },
          }),
        ),
    ],
    [
      'half a unit for each row of an eventually consistent batch, also where there is none',
      1,
      () =>
        client.send(
          new BatchGetItemCommand({
            ReturnConsumedCapacity: 'TOTAL',
            RequestItems: { [TableName]: { ConsistentRead: false, Keys: ['large', 'none'].map(key) } },
          }),
        ),
    ],
    [
      'half a unit for 4 KB of an index, also where there is nothing',
      0.5,
      () =>
        client.send(
          new QueryCommand({
            ...counted,
            IndexName: 'slot-0',
            KeyConditionExpression: 'pk = :nothing',
            ExpressionAttributeValues: { ':nothing': { S: 'nothing' } },
          }),
        ),
    ],
  ])('the embedded DynamoDB consumes %s', async (_what, units, ask) => {
    expect(await unitsOf(ask())).toBe(units);
  });
});
