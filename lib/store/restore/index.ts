/** Repairs a copy of a table that was taken during writes, as point-in-time recovery does. */
export type { KindFacts } from './kind-facts.ts';
export { raiseWatermarks } from './raise-watermarks.ts';
export { type ObjectToWrite, Repair } from './repair.ts';
export { RestoreLock, RestoreUnderwayError } from './restore-lock.ts';
export { type RestoreProgress, readRestoreProgress } from './restore-progress.ts';
export type { Scan } from './scan.ts';
export { scanTable } from './scan-table.ts';
