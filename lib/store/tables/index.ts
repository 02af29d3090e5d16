/** Wrappers of a table: retries, batches concurrent gets, and counts the cost of reads. */
export { batchingTable } from './batching-table.ts';
export { addTally, measuredTable, noReadCost, type ReadCost } from './measured-table.ts';
export { retryingTable } from './retrying-table.ts';
