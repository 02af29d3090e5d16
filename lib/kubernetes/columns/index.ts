/** The columns of Tables, by kind. They are loaded with the first Table, because few processes need them. */
export { type TableLayout, tableLayout } from './table-layout.ts';
