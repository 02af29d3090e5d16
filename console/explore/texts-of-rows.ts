import type { Column } from '../../lib/client/objects/index.ts';
import type { KindInfo, Row } from '../api/index.ts';

/** The rows as CSV (RFC 4180): namespace, name and the other columns, and a column for each label key. */
export function csvOf(columns: readonly Column[], rows: readonly Row[]): string {
  const keys = [...new Set(rows.flatMap(({ metadata }) => Object.keys(metadata.labels ?? {})))].sort();
  const others = columns.flatMap(({ name }, at) => (/^(name|age)$/i.test(name) ? [] : [{ name, at }]));
  const titles = [
    'Namespace',
    'Name',
    'Created',
    ...others.map(({ name }) => name),
    ...keys.map((key) => `label ${key}`),
  ];
  const lines = rows.map(
    ({ metadata: { namespace = '', name, creationTimestamp = '', labels = {} }, cells }) => [
      namespace,
      name,
      creationTimestamp,
      ...others.map(({ at }) => String(cells[at] ?? '')),
      ...keys.map((key) => labels[key] ?? ''),
    ],
  );
  return [titles, ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** The rows as a list of metadata, as kubectl reads it. */
export function jsonOf(
  { apiVersion, kind }: KindInfo,
  resourceVersion: string,
  rows: readonly Row[],
): string {
  const items = rows.map(({ metadata }) => ({ apiVersion, kind, metadata }));
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion }, items }, null, 2)}\n`;
}

/**
 * A field of CSV. A spreadsheet would run a text that begins like a formula, and names of labels and columns come from
 * other users.
 */
function field(text: string): string {
  const inert = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
