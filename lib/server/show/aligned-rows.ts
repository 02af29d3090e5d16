import type { JsonObject } from '../../json/index.ts';

/** A column of a table whose rows are not objects. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number';
  readonly description: string;
}

type Rows = readonly (readonly (string | number)[])[];

/** Rows as a meta.k8s.io/v1 Table. */
export function plainTable(columns: readonly Column[], rows: Rows, metadata: JsonObject): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map((column) => ({ ...column, format: '', priority: 0 })),
    rows: rows.map((cells) => ({ cells: [...cells] })),
  };
}

/** Rows as kubectl prints a Table: names in capitals, columns three spaces apart. */
export function alignedText(columns: readonly Column[], rows: Rows): string {
  const lines = [columns.map(({ name }) => name.toUpperCase()), ...rows.map((cells) => cells.map(String))];
  const widths = columns.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('');
}
