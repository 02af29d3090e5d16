import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../lib/platform/index.ts';
import { Fault } from './connection/index.ts';

/**
 * Reads the description of a Winnow table from DynamoDB.
 *
 * @throws {Fault} the table does not exist, is not a Winnow table, or cannot be described.
 */
export async function describeWinnowTable(client: DynamoDBClient, name: string): Promise<TableDescription> {
  const described = await describe(client, name);
  const { KeySchema = [], GlobalSecondaryIndexes = [] } = described;
  const keys = KeySchema.map(({ AttributeName }) => AttributeName).join(' ');
  if (keys !== `${TABLE.partitionKey} ${TABLE.sortKey}`) {
    throw new Fault({
      what: `${name} has the keys ${keys}, so it is not a Winnow table`,
      advice: 'Name another table.',
    });
  }
  const indexes = new Set(GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
  const missing = TABLE.indexes.filter(({ name: index }) => !indexes.has(index));
  if (missing.length === 0) return described;
  const what = `${name} lacks the indexes ${missing.map(({ name: index }) => index).join(', ')}`;
  throw new Fault({ what, advice: 'Restore it with all its indexes.' });
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription> {
  try {
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) {
      const advice = 'Check the region and the account.';
      throw new Fault({ what: `the table ${name} does not exist`, advice });
    }
    const why = error instanceof Error ? error.message || error.name : String(error);
    const advice = 'Set AWS_REGION, and AWS_PROFILE or keys that may describe and read the table.';
    throw new Fault({ what: `the table ${name} cannot be described: ${why}`, advice });
  }
}
