import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import { type Database, startDatabase } from '../../../infra/local/data/database.ts';
import { systemClock as clock, TABLE } from '../../../lib/platform/index.ts';
import { createDynamoTable } from '../../../lib/store/dynamodb/index.ts';
import type { MeteredTable } from '../../../lib/store/index.ts';
import { engine, ownAccessKey } from '../../engines/engine.ts';

export interface TestTable {
  readonly table: MeteredTable;
  readonly endpoint: string;
  /** The same table for another endpoint, which has to lead to the same database. */
  through(endpoint: string): MeteredTable;
  stop(): Promise<void>;
}

const TableName = 'winnow';

/** The table as the stack defines it, without a stream: nobody reads one here. */
export const tableDefinition = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    ...new Set([TABLE, ...TABLE.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])),
  ].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: keySchema(TABLE),
  GlobalSecondaryIndexes: TABLE.indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [TABLE.projected] },
  })),
} satisfies CreateTableCommandInput;

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}

/** An empty table in a database of its own, behind the adapter that is deployed. */
export async function startTable(): Promise<TestTable> {
  const database = await ownDatabase();
  const client = new DynamoDBClient(configOf(database));
  await client.send(new CreateTableCommand(tableDefinition));
  client.destroy();
  return testTable(database);
}

interface OwnDatabase extends Pick<Database, 'endpoint' | 'stop'> {
  readonly accessKeyId: string;
}

/** An embedded DynamoDB; or, where the tests run on another engine, what that keeps for an access key. */
async function ownDatabase(): Promise<OwnDatabase> {
  const endpoint = engine('dynamodb');
  if (endpoint === undefined) return { ...(await startDatabase({})), accessKeyId: 'local' };
  const database = { endpoint, accessKeyId: ownAccessKey() };
  return { ...database, stop: () => dropTable(database) };
}

async function dropTable(database: Pick<OwnDatabase, 'endpoint' | 'accessKeyId'>): Promise<void> {
  const client = new DynamoDBClient(configOf(database));
  await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
}

/** The table that is in a folder already. */
export async function openTable(dataDirectory: string): Promise<TestTable> {
  return testTable({ ...(await startDatabase({ dataDirectory })), accessKeyId: 'local' });
}

/** The table of a database that is there already: another process' of this test. */
export function tableAt(endpoint: string): MeteredTable {
  const config = configOf({ endpoint, accessKeyId: 'local' });
  return createDynamoTable({ tableName: TableName, clock, config });
}

function testTable({ endpoint, accessKeyId, stop }: OwnDatabase): TestTable {
  const through = (other: string) =>
    createDynamoTable({ tableName: TableName, clock, config: configOf({ endpoint: other, accessKeyId }) });
  return { table: through(endpoint), endpoint, through, stop };
}

function configOf({ endpoint, accessKeyId }: Omit<OwnDatabase, 'stop'>): DynamoDBClientConfig {
  const credentials = { accessKeyId, secretAccessKey: 'local' };
  return { endpoint, region: 'us-east-1', credentials };
}
