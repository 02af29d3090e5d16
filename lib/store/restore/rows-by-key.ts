import type { Key, Row } from '../table.ts';

export const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

/** A key as one text. */
export const textOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

export function rowsByKey(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [textOf(row), row]));
}
