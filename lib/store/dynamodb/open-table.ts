import { RowSchema, schemaTable } from '../schema/index.ts';
import type { MeteredTable } from '../table.ts';
import { createDynamoTable, type DynamoTableOptions } from './dynamo-table.ts';

/**
 * The table of a deployment. Its calls work while the rows have a schema that this code knows.
 *
 * @throws {UnknownSchemaError} from every operation, where they are not.
 */
export function openTable(options: DynamoTableOptions): MeteredTable {
  return schemaTable(createDynamoTable(options), new RowSchema(options));
}
