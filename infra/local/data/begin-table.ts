import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { systemClock as clock } from '../../../lib/platform/index.ts';
import { createDynamoTable, type DynamoTableOptions } from '../../../lib/store/dynamodb/index.ts';
import { beginSchema, KNOWN_SCHEMAS } from '../../../lib/store/index.ts';

/** Sets the row schema of a new table. A table that a run has used holds namespaces, and does not change. */
export async function beginTable(
  options: Pick<DynamoTableOptions, 'tableName' | 'config'>,
  isNewest: boolean,
): Promise<void> {
  const { oldest, newest } = KNOWN_SCHEMAS;
  const schemas = { oldest, newest: isNewest ? newest : oldest };
  await beginSchema(createDynamoTable({ ...options, clock }), schemas, NAMESPACES);
}
