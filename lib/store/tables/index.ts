/** Tables around a table: patient where it is throttled, gathering where it is asked at once, counting what it takes. */
export { batchingTable } from './batching-table.ts';
export { addTally, measuredTable, noReadCost, type ReadCost } from './measured-table.ts';
export { retryingTable } from './retrying-table.ts';
