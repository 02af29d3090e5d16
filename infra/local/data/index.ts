/** The table of a local run: its database, its folder, and the takeover from an earlier run. */
export { beginTable } from './begin-table.ts';
export { type Database, startDatabase } from './database.ts';
export { takeOverTable } from './take-over-table.ts';
