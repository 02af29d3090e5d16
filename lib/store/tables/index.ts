/** Wrappers of a table: they retry, batch concurrent gets, and count the cost of calls. */

export { batchingTable } from './batching-table.ts';
export { type BesideTable, besideTable } from './beside-table.ts';
export { addTally, measuredTable, noReadCost, type ReadCost } from './measured-table.ts';
export { retryingTable } from './retrying-table.ts';
