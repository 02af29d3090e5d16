import type { Column } from '../../lib/client/objects/index.ts';
import type { KindInfo, Row } from '../api/index.ts';
import { valueText } from '../selector/index.ts';

/** A column of the page's table: one of kubectl's, with its place in the cells, or one that the page adds. */
export interface ShownColumn {
  readonly title: string;
  readonly kind: 'name' | 'namespace' | 'age' | 'cell' | 'label' | 'labels';
  /** The place in the cells of a row. */
  readonly at: number;
}

/** The widest columns, in characters. */
const WIDEST_NAME = 40;
const WIDEST = 30;
/** The rows whose texts decide about the widths. */
const LOOKED_AT = 200;

/**
 * The columns that kubectl prints without `-o wide`, with the namespace after the name. A column for each chosen label key,
 * and all labels, come last.
 */
export function shownColumns(
  columns: readonly Column[],
  { isSpread, keys }: { readonly isSpread: boolean; readonly keys: readonly string[] },
): ShownColumn[] {
  const printed = columns.flatMap(({ name, priority }, at): ShownColumn[] => {
    if (priority > 0) return [];
    const title = name.toLowerCase();
    const kind = title === 'name' ? 'name' : title === 'age' ? 'age' : 'cell';
    return [{ title: name, kind, at }];
  });
  const namespace: ShownColumn[] = isSpread ? [{ title: 'Namespace', kind: 'namespace', at: -1 }] : [];
  const chosen = keys.map((title): ShownColumn => ({ title, kind: 'label', at: -1 }));
  const rest = [...printed.slice(1), ...chosen];
  return [...printed.slice(0, 1), ...namespace, ...rest, { title: 'Labels', kind: 'labels', at: -1 }];
}

/** Whether a table shows the namespace of each row. */
export function isSpread(kind: KindInfo, namespace: string): boolean {
  return kind.namespaced && namespace === '';
}

export function textOf(column: ShownColumn, { metadata, cells }: Row): string {
  switch (column.kind) {
    case 'name':
      return metadata.name;
    case 'namespace':
      return metadata.namespace ?? '';
    case 'age':
      return '';
    case 'label':
      return column.title in (metadata.labels ?? {}) ? valueText(metadata.labels?.[column.title]) : '';
    case 'labels':
      return '';
    case 'cell':
      return cells[column.at] === null || cells[column.at] === undefined ? '' : String(cells[column.at]);
    default:
      return column.kind satisfies never;
  }
}

/** The template of a CSS grid whose columns fit their texts. Names are in a wider type than other texts. */
export function templateOf(columns: readonly ShownColumn[], rows: readonly Row[]): string {
  const looked = rows.slice(0, LOOKED_AT);
  const widths = columns.map((column) => {
    if (column.kind === 'labels') return 'minmax(240px, 1fr)';
    if (column.kind === 'age') return '64px';
    const most = column.kind === 'name' ? WIDEST_NAME : WIDEST;
    const longest = looked.reduce(
      (most, row) => Math.max(most, textOf(column, row).length),
      column.title.length + 1,
    );
    const size = column.kind === 'name' ? 7.6 : 7.2;
    return `${Math.ceil(Math.min(longest, most) * size + 28)}px`;
  });
  return ['28px', ...widths].join(' ');
}
