export { createDynamoTable, type DynamoTableOptions } from './dynamo-table.ts';
export { openTable } from './open-table.ts';
export { createScan } from './scan-table.ts';
