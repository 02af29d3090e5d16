import type { Requirement } from '../selectors/index.ts';
import type { QueryRequest, Table } from './table.ts';

/**
 * The purpose of a read in a LIST:
 *
 * - `head`: the collection's head.
 * - `slots`: the label keys that have slots.
 * - `requirement`: candidates of a requirement in an index.
 * - `window`: the relabel window.
 * - `rows`: the collection's rows in their order.
 * - `objects`: the rows of candidates.
 * - `journal`: the journal.
 */
export type ReadPurpose = 'head' | 'slots' | 'requirement' | 'window' | 'rows' | 'objects' | 'journal';

/** A requirement and the index that holds the objects that meet it. */
export interface IndexRead {
  readonly requirement: Requirement;
  readonly index: NonNullable<QueryRequest['index']>;
}

/** The tables that one LIST reads through: always the same one, or one for each purpose, which counts its reads. */
export interface ListReads {
  /** @param read the requirement and index to read, if the purpose is `requirement` */
  from(purpose: ReadPurpose, read?: IndexRead): Table;
}

export const uncounted = (table: Table): ListReads => ({ from: () => table });
