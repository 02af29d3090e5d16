/** The schema version of a table's rows, and the releases that may use the table. */
export type { KnownSchemas } from './known-schemas.ts';
export {
  CHUNKS_SCHEMA,
  FAMILIAR_SCHEMA,
  HISTORY_SCHEMA,
  IDENTITY_SCHEMA,
  KNOWN_SCHEMAS,
  RowSchema,
  RULES_SCHEMA,
  SCOPED_SCHEMA,
} from './row-schema.ts';
export { beginSchema, raiseSchema, readSchema, type SchemaState, writtenAt } from './schema-row.ts';
export { schemaTable } from './schema-table.ts';
