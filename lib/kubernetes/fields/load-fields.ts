import { FieldTable } from './field-table.ts';

let loading: Promise<FieldTable> | undefined;

/** The table, read and parsed the first time that a process asks for it. */
export function loadFields(): Promise<FieldTable> {
  loading ??= import('./facts.ts').then(({ facts }) => new FieldTable(facts));
  return loading;
}
