/** A table that point-in-time recovery made, made good. No function does this: its face is not that of `lib/api`. */
export { type RestoreOptions, restoreTable } from './restore-table.ts';
