export { createDynamoTable, type DynamoTableOptions } from './dynamo-table.ts';
