/** Which version of the rows' schema a table is written in, and who may work on it. */
export { KNOWN_SCHEMAS, type KnownSchemas, RowSchema } from './row-schema.ts';
export { raiseSchema, readSchema, type SchemaState } from './schema-row.ts';
export { schemaTable } from './schema-table.ts';
