/** The table of a local run: the database behind it, the folder that keeps it, and how a run takes it up. */
export { beginTable } from './begin-table.ts';
export { type Database, startDatabase } from './database.ts';
export { takeOverTable } from './take-over-table.ts';
