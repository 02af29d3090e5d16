/** A table that point-in-time recovery made, made good. No function does this: its face is not that of `lib/api`. */
export { restoreTable } from './restore-table.ts';
