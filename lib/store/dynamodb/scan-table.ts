import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Scan } from '../restore/index.ts';
import { createClient } from './client.ts';
import type { DynamoTableOptions } from './dynamo-table.ts';
import { type Item, keyItem, toRow } from './items.ts';

/** The number of rows of one page. The caller stores its progress after each page. */
const PAGE = 250;

/**
 * Scans all rows of a table, read consistently. Only for a process with exclusive use of the table: it reads
 * everything.
 */
export function createScan({ tableName: TableName, config }: Omit<DynamoTableOptions, 'clock'>): Scan {
  const client = createClient({ maxAttempts: 10, ...config });
  return async (after) => {
    const from = after && { ExclusiveStartKey: keyItem(after) };
    const command = new ScanCommand({ TableName, ConsistentRead: true, Limit: PAGE, ...from });
    const { Items = [], LastEvaluatedKey } = await client.send(command);
    return { rows: Items.map(toRow), next: LastEvaluatedKey && keyIn(LastEvaluatedKey) };
  };
}

function keyIn(item: Item) {
  const { pk, sk } = toRow(item);
  return { pk, sk };
}
