import type { Collection } from '../json/index.ts';
import type { Clock, Metrics } from '../platform/index.ts';
import { holeRow, type JournalEntry, parseEntry } from './journal.ts';
import type { Table } from './table.ts';

/** How long to wait before asking again about a row that is part of a transaction in progress, in ms. */
const BUSY_PAUSE = 20;
/** The same when the table failed to answer, e.g. because it is asked too much. */
const FAILED_PAUSE = 200;

/**
 * Puts a hole at `rv` unless something stands there, and answers what stands there in the end: the journal row
 * at an rv is the only verdict on it. Answers undefined when it is still undecided at `signal`: a table that
 * fails to answer meanwhile is asked again, for its error would say nothing about the rv.
 */
export async function decide(options: DecideOptions): Promise<JournalEntry | undefined> {
  const { table, clock, metrics, collection, rv, signal } = options;
  while (!signal.aborted) {
    const hole = holeRow(collection, rv, clock.now());
    const answer = await table.put(hole, [{ missing: 'pk' }], signal).catch(() => undefined);
    if (answer?.outcome === 'done') {
      metrics?.record('HolesFilled', 1);
      return parseEntry(hole);
    }
    if (answer?.existing !== undefined) return parseEntry(answer.existing);
    await clock.sleep(answer === undefined ? FAILED_PAUSE : BUSY_PAUSE, signal);
  }
  return undefined;
}

export interface DecideOptions {
  readonly table: Table;
  readonly clock: Clock;
  /** Where a hole counts: a writer that gives its own resourceVersion up has none. */
  readonly metrics?: Metrics | undefined;
  readonly collection: Collection;
  readonly rv: number;
  readonly signal: AbortSignal;
}
