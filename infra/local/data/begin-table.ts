import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { systemClock as clock } from '../../../lib/platform/index.ts';
import { createDynamoTable, type DynamoTableOptions } from '../../../lib/store/dynamodb/index.ts';
import { beginSchema, KNOWN_SCHEMAS } from '../../../lib/store/index.ts';

/** A table that was never worked on, which every run would have put namespaces into, begins with the newest schema. */
export async function beginTable(options: Pick<DynamoTableOptions, 'tableName' | 'config'>): Promise<void> {
  await beginSchema(createDynamoTable({ ...options, clock }), KNOWN_SCHEMAS, NAMESPACES);
}
