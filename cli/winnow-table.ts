import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../lib/platform/index.ts';
import { Fault } from './connection/index.ts';

/**
 * What DynamoDB says of a table of Winnow.
 *
 * @throws {Fault} there is no such table, it is none of Winnow's, or it cannot be looked at.
 */
export async function describeWinnowTable(client: DynamoDBClient, name: string): Promise<TableDescription> {
  const described = await describe(client, name);
  const { KeySchema = [], GlobalSecondaryIndexes = [] } = described;
  const keys = KeySchema.map(({ AttributeName }) => AttributeName).join(' ');
  if (keys !== `${TABLE.partitionKey} ${TABLE.sortKey}`) {
    throw new Fault({
      what: `${name} has the keys ${keys}, and is none of Winnow's`,
      advice: 'Name another.',
    });
  }
  const indexes = new Set(GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
  const missing = TABLE.indexes.filter(({ name: index }) => !indexes.has(index));
  if (missing.length === 0) return described;
  const what = `${name} lacks the indexes ${missing.map(({ name: index }) => index).join(', ')}`;
  throw new Fault({ what, advice: 'Restore it with all of its indexes.' });
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription> {
  try {
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) {
      const advice = 'Are the region and the account right?';
      throw new Fault({ what: `there is no table ${name}. ${advice}`, advice });
    }
    const why = error instanceof Error ? error.message || error.name : String(error);
    const advice = 'Set AWS_REGION, and AWS_PROFILE or the keys, of who may.';
    throw new Fault({ what: `the table ${name} cannot be looked at: ${why}. ${advice}`, advice });
  }
}
