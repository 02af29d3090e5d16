/** The repair of a table that point-in-time recovery made. Only the CLI runs it, so it has an entry of its own. */
export { restoreTable } from './restore-table.ts';
