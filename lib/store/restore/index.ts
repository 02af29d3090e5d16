/** Makes a copy of a table good again that was taken while it was written to, as point-in-time recovery takes it. */
export type { KindFacts, OwnerPlace } from './kind-facts.ts';
export { raiseMarks } from './raise-marks.ts';
export { type ObjectToWrite, Repair, type RepairOptions } from './repair.ts';
export { type RestoreProgress, readRestoreProgress } from './restore-progress.ts';
export { RestoreTurn, RestoreUnderwayError } from './restore-turn.ts';
export type { Scan, ScanPage } from './scan.ts';
export { type Survey, surveyTable } from './survey-table.ts';
