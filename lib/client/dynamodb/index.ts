export { createDynamodbStore, type DynamodbStoreOptions } from './dynamodb-store.ts';
