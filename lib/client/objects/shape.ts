import type { Stored } from './stored-object.ts';

/** The form of objects in an answer: whole, their metadata only, or the rows of the table that kubectl prints. */
export type Shape = 'object' | 'metadata' | 'table';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** The OpenAPI type of the cells: `string`, `integer`, `number`, `boolean` or `date`. */
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 for a column that kubectl always prints; greater for one of `-o wide`. */
  readonly priority: number;
}

/** The part of a row beside the metadata of its object. */
export interface TableRow {
  /** The values in the order of the columns. An age is that of the moment of the answer. */
  readonly cells: readonly unknown[];
}

/** The fields beside `metadata` that objects have in a shape. */
export type Shaped<Body, As extends Shape> = As extends 'table'
  ? TableRow
  : As extends 'metadata'
    ? unknown
    : Body;

interface Table {
  readonly kind: 'Table';
  readonly columnDefinitions: readonly Column[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Stored }[];
}

/** An object of an answer in any shape, or the Table that shows it. */
export type Shown = Stored | Table;

/** Returns the header `accept` that asks for a shape. */
export function acceptOf(shape: Shape, verb: 'list' | 'watch'): string {
  if (shape === 'object') return 'application/json';
  const metadata = verb === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return `application/json;as=${shape === 'table' ? 'Table' : metadata};v=v1;g=meta.k8s.io`;
}

/** Returns the rows of a Table as objects with `cells`; undefined if the answer is no Table. */
export function rowsOf(shown: object): readonly Stored<TableRow>[] | undefined {
  if (!isTable(shown)) return undefined;
  return shown.rows.map(({ object, cells }) => ({ ...object, cells }));
}

/** Returns the columns of a Table; undefined if the answer is no Table, or one of a watch without columns. */
export function columnsOf(shown: object): readonly Column[] | undefined {
  return isTable(shown) && shown.columnDefinitions.length > 0 ? shown.columnDefinitions : undefined;
}

function isTable(shown: object): shown is Table {
  return (shown as Partial<Table>).kind === 'Table' && 'columnDefinitions' in shown;
}
