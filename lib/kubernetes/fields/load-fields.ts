import { FieldTable } from './field-table.ts';

let loading: Promise<FieldTable> | undefined;

/** Returns the table. Each process loads and parses it on first use. */
export function loadFields(): Promise<FieldTable> {
  loading ??= import('./facts.ts').then(({ facts }) => new FieldTable(facts));
  return loading;
}
