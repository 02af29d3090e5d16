/** Tallies: their spec, their counts and their status. */
export { countNow } from './count-now.ts';
export { NOTHING_COUNTED, parseCounts, printCounts } from './counts.ts';
export { type Deltas, deltasOf } from './deltas.ts';
export { isTally, workOf } from './is-tally.ts';
export { loadTalliesDue } from './load-tallies-due.ts';
export { writeTallyStatus } from './tally-status.ts';
