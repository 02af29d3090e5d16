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
  /** The cursor, and the last resourceVersion allotted. */
  readonly position: number;
  readonly rv: number;
}

const AT_ONCE = 4;
/** Versions that are not decided, and so have no time, that are stepped over. */
const LONGEST_GAP = 10;

/**
 * How many ms ago the oldest change was written that dispatch has not passed: it may not be sent yet, or wait behind
 * one that is not decided. 0 where there is none.
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
