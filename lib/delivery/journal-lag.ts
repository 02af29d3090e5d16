import type { Collection } from '../json/index.ts';
import { type Clock, mapBounded } from '../platform/index.ts';
import { readEntryTime, type Table } from '../store/index.ts';

export interface JournalLagOptions {
  readonly table: Table;
  readonly clock: Clock;
}

/** A collection whose cursor is behind its head. */
export interface Lagging {
  readonly collection: Collection;
  /** The cursor, and the last allotted resourceVersion. */
  readonly position: number;
  readonly rv: number;
}

const AT_ONCE = 4;
/** The most unsettled resourceVersions to skip. A resourceVersion without a journal entry has no time. */
const LONGEST_GAP = 10;

/**
 * Returns the age in ms of the oldest change that dispatch has not passed. That change may not be sent yet, or it may
 * wait behind an unsettled resourceVersion. Returns 0 if there is none.
 */
export async function journalLag(options: JournalLagOptions, lagging: readonly Lagging[]): Promise<number> {
  const ages = await mapBounded(lagging, AT_ONCE, (one) => age(options, one));
  return Math.max(0, ...ages);
}

async function age(
  { table, clock }: JournalLagOptions,
  { collection, position, rv }: Lagging,
): Promise<number> {
  for (let next = position + 1; next <= Math.min(rv, position + LONGEST_GAP); next += 1) {
    const time = await readEntryTime(table, collection, next);
    if (time !== undefined) return clock.now() - time;
  }
  return 0;
}
