/** The repair of a table that point-in-time recovery created. Only the CLI runs it, so it has its own entry. */
export { restoreTable } from './restore-table.ts';
