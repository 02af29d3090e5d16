import { FieldTable, type RawFacts } from './field-table.ts';

let loading: Promise<FieldTable> | undefined;

/** The table, read and parsed the first time that a process asks for it. */
export function loadFields(): Promise<FieldTable> {
  loading ??= import('./facts.json', { with: { type: 'json' } }).then(
    ({ default: facts }) => new FieldTable(facts as unknown as RawFacts),
  );
  return loading;
}
