import type { Key, Row } from '../table.ts';

/** Some rows of a table, in no particular order, and after which key the others come. */
export interface ScanPage {
  readonly rows: readonly Row[];
  readonly next?: Key | undefined;
}

/** The rows of a whole table, page by page: each that nobody writes meanwhile is in one page. */
export type Scan = (after: Key | undefined) => Promise<ScanPage>;
