import type { Collection } from '../../json/index.ts';
import { type Clock, type Logger, TIMING } from '../../platform/index.ts';
import { readEntryTime, type Store, type Table } from '../../store/index.ts';

export interface CompactionOptions {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Compacted {
  /** The age of the oldest entry above the watermark, in ms; 0 where there is none. */
  readonly age: number;
  /**
   * When that entry will be older than the retention, in ms since the epoch; `Infinity` where there is none, and now if
   * no entry was found.
   */
  readonly due: number;
}

/** The most missing entries in a row that are skipped before the range counts as young. */
const LONGEST_GAP = 100;

/**
 * Raises the watermark `compacted` to the newest entry that is older than the retention. It finds the entry by binary
 * search: entries are in the order of time, except for clock skew. Their rows expire a day later, so the watermark
 * always moves first. Writers below an entry that old are dead, so everything up to it is decided. The watermark
 * `settled` is raised first, because without subscriptions nothing else raises it.
 */
export async function compact(options: CompactionOptions, collection: Collection): Promise<Compacted> {
  const { store, clock, logger } = options;
  const { settled, compacted } = await store.watermarks(collection);
  const head = await store.head(collection);
  let keep = head + 1;
  let forget = compacted;
  let oldest: number | undefined;
  while (keep - forget > 1) {
    const middle = Math.floor((forget + keep) / 2);
    const old = await oldEntry(options, collection, { from: middle, below: keep, settled });
    if (old.rv !== undefined) {
      forget = old.rv;
    } else {
      keep = middle;
      oldest = old.time;
    }
  }
  const now = clock.now();
  const age = oldest === undefined ? 0 : Math.max(0, now - oldest);
  const rest = oldest === undefined ? now : oldest + TIMING.retention;
  const next = { age, due: forget === head ? Number.POSITIVE_INFINITY : rest };
  if (forget <= compacted) return next;
  await store.raise(collection, 'settled', forget);
  await store.raise(collection, 'compacted', forget);
  logger.info('compacted a journal', { collection, compacted: forget });
  return next;
}

interface Stretch {
  readonly from: number;
  readonly below: number;
  readonly settled: number;
}

/**
 * The first entry from `from` on: its resourceVersion if it is old, else its time. A missing entry may be a gap that
 * is not filled yet.
 */
async function oldEntry(
  { table, clock }: CompactionOptions,
  collection: Collection,
  { from, below, settled }: Stretch,
): Promise<{ readonly rv?: number; readonly time?: number }> {
  for (let rv = from; rv < Math.min(below, from + LONGEST_GAP); rv += 1) {
    const time = await readEntryTime(table, collection, rv);
    if (time !== undefined) return time < clock.now() - TIMING.retention ? { rv } : { time };
    // A settled entry that is missing has expired, so it was old.
    if (rv <= settled) return { rv };
  }
  return {};
}
