/** What Tables show of each kind: loaded with the first Table, as few starts need it. */
export { type TableLayout, tableLayout } from './table-layout.ts';
