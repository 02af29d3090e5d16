import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { systemClock as clock } from '../../../lib/platform/index.ts';
import { createDynamoTable, type DynamoTableOptions } from '../../../lib/store/dynamodb/index.ts';
import { beginSchema, KNOWN_SCHEMAS } from '../../../lib/store/index.ts';

/** Sets the newest row schema for a new table. A table that a run has used holds namespaces, and does not change. */
export async function beginTable(options: Pick<DynamoTableOptions, 'tableName' | 'config'>): Promise<void> {
  await beginSchema(createDynamoTable({ ...options, clock }), KNOWN_SCHEMAS, NAMESPACES);
}
