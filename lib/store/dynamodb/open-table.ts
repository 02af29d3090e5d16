import { RowSchema, schemaTable } from '../schema/index.ts';
import type { MeteredTable } from '../table.ts';
import { createDynamoTable, type DynamoTableOptions } from './dynamo-table.ts';

/**
 * Opens the table of a deployment. Its calls work while this code supports the schema version of the rows.
 *
 * @throws {UnknownSchemaError} from every operation, if this code does not support it.
 */
export function openTable(options: DynamoTableOptions): MeteredTable {
  return schemaTable(createDynamoTable(options), new RowSchema(options));
}
