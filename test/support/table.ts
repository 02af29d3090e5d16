import { CreateTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { startDatabase } from '../../infra/local/database.ts';
import { systemClock as clock, TABLE } from '../../lib/platform/index.ts';
import { createDynamoTable } from '../../lib/store/dynamodb/index.ts';
import type { Table } from '../../lib/store/index.ts';

export interface TestTable {
  readonly table: Table;
  readonly endpoint: string;
  /** The same table for another endpoint, which has to lead to the same database. */
  through(endpoint: string): Table;
  stop(): Promise<void>;
}

/** An empty table on an embedded DynamoDB of its own, behind the adapter that is deployed. */
export async function startTable(): Promise<TestTable> {
  const database = await startDatabase({});
  const config: DynamoDBClientConfig = {
    endpoint: database.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
  const client = new DynamoDBClient(config);
  const tableName = 'winnow';
  const index = ({ name, partitionKey, sortKey }: typeof TABLE.byLabel | typeof TABLE.byLabelKey) => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' as const },
      { AttributeName: sortKey, KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'ALL' as const },
  });
  const names = [
    'pk',
    'sk',
    TABLE.byLabel.partitionKey,
    TABLE.byLabelKey.partitionKey,
    TABLE.byLabel.sortKey,
  ];
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: TABLE.partitionKey, KeyType: 'HASH' },
        { AttributeName: TABLE.sortKey, KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [index(TABLE.byLabel), index(TABLE.byLabelKey)],
    }),
  );
  client.destroy();
  const through = (endpoint: string) =>
    createDynamoTable({ tableName, clock, config: { ...config, endpoint } });
  const { endpoint, stop } = database;
  return { table: through(endpoint), endpoint, through, stop };
}
