import type { Key, Row } from '../table.ts';

/** A page of rows of a table, in no particular order, and the key after which the next page begins. */
export interface ScanPage {
  readonly rows: readonly Row[];
  readonly next?: Key | undefined;
}

/** Scans a whole table, page by page. Each row that is not written meanwhile is in exactly one page. */
export type Scan = (after: Key | undefined) => Promise<ScanPage>;
