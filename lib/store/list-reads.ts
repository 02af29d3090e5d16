import type { Requirement } from '../selectors/index.ts';
import type { QueryRequest, Table } from './table.ts';

/**
 * What a LIST reads a row for: the head; which label keys have slots; candidates of a requirement in an index; the relabel window; the
 * collection's rows in their order; the rows of candidates; the journal.
 */
export type ReadPurpose = 'head' | 'slots' | 'requirement' | 'window' | 'rows' | 'objects' | 'journal';

/** A requirement and the index that shows what meets it. */
export interface IndexRead {
  readonly requirement: Requirement;
  readonly index: NonNullable<QueryRequest['index']>;
}

/** The tables that one LIST reads through: always the same, or one for each purpose that counts what it reads. */
export interface ListReads {
  /** @param read what is read of an index, where the purpose is a requirement */
  from(purpose: ReadPurpose, read?: IndexRead): Table;
}

export const uncounted = (table: Table): ListReads => ({ from: () => table });
