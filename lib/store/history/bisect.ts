import { parseEntry } from '../journal.ts';
import { journalKey } from '../keys.ts';
import type { SettleOptions } from '../settle.ts';

/** The most holes and missing entries in a row that are stepped over. */
const LONGEST_GAP = 100;

export interface Bisected {
  /** The resourceVersion at which the search begins, exclusive. It counts as written by that time. */
  readonly above: number;
  readonly upTo: number;
  readonly time: number;
  /** Whether a stretch without changes counts as written by that time: its entries may have expired. */
  readonly isGapEarly?: boolean;
}

/**
 * The newest resourceVersion in a range whose entry was written by a time, in ms; `above` if there is none. It finds the
 * entry by binary search: entries are in the order of time, except for clock skew. It steps over holes and missing entries.
 */
export async function newestBy(
  options: SettleOptions,
  { above, upTo, time, isGapEarly = false }: Bisected,
): Promise<number> {
  let found = above;
  let late = upTo + 1;
  while (late - found > 1) {
    const middle = Math.floor((found + late) / 2);
    const entry = await firstChange(options, middle, Math.min(late, middle + LONGEST_GAP));
    if (entry === undefined && isGapEarly) {
      found = middle;
    } else if (entry !== undefined && entry.time <= time) {
      found = entry.rv;
    } else {
      late = middle;
    }
  }
  return found;
}

/** The first change from `from` to below `below`. A hole has the time when it was put, perhaps much later. */
async function firstChange({ table, collection }: SettleOptions, from: number, below: number) {
  const row = await table.get(journalKey(collection, from));
  const entry = row && parseEntry(row);
  if (entry?.kind === 'change') return entry;
  const keys = Array.from({ length: below - from - 1 }, (_, index) =>
    journalKey(collection, from + 1 + index),
  );
  if (keys.length === 0) return undefined;
  const [first] = (await table.batchGet(keys))
    .map(parseEntry)
    .filter((other) => other.kind === 'change')
    .sort((left, right) => left.rv - right.rv);
  return first;
}
