import type { Collection } from '../json/index.ts';
import type { Clock, Metrics } from '../platform/index.ts';
import { holeRow, type JournalEntry, parseEntry } from './journal.ts';
import type { Table } from './table.ts';

/** The pause before a retry while the row is part of a transaction in progress, in ms. */
const BUSY_PAUSE = 20;
/** The pause in ms after the table failed to answer, for example because it throttled. */
const FAILED_PAUSE = 200;

/**
 * Puts a hole at `rv` unless an entry exists there, and resolves to the final entry: only the journal row at `rv`
 * decides it. Resolves to undefined if it is still undecided when `signal` ends. If the table fails to answer, the
 * put is retried: such an error says nothing about `rv`.
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
  /** Counts the holes; absent when a writer puts a hole at its own resourceVersion. */
  readonly metrics?: Metrics | undefined;
  readonly collection: Collection;
  readonly rv: number;
  readonly signal: AbortSignal;
}
