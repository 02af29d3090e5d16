/** Tallies: what they ask for, what was counted so far, and the status that is written of it. */
export { countNow } from './count-now.ts';
export { NOTHING_COUNTED, parseCounts, printCounts } from './counts.ts';
export { type Deltas, deltasOf } from './deltas.ts';
export { isTally, workOf } from './is-tally.ts';
export { loadTalliesDue } from './load-tallies-due.ts';
export { writeTallyStatus } from './tally-status.ts';
