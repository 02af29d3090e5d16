import type { Clock } from '../platform/index.ts';
import { headKey, settledKey } from './keys.ts';
import type { Collection } from './object.ts';
import type { Table } from './table.ts';

/** The resourceVersion of a collection that was never written. Clients give 0 a meaning of its own. */
export const FIRST_VERSION = 1;

export interface Watermarks {
  /** Every resourceVersion up to here is decided for ever. */
  readonly settled: number;
  /** Every journal entry up to here may be gone. */
  readonly compacted: number;
}

/** The last resourceVersion allotted, read consistently. */
export async function readHead(table: Table, collection: Collection): Promise<number> {
  const row = await table.get(headKey(collection));
  return Math.max(FIRST_VERSION, Number(row?.rv ?? 0));
}

/**
 * Allots the next resourceVersion. The head row is touched by nothing but this ADD, so writers never conflict
 * on it. Whoever is allotted `FIRST_VERSION`, the version of the empty collection, takes another. A request
 * that fails may have allotted one all the same: readers then wait a grace for it, and nothing else happens.
 */
export async function allotVersion(table: Table, collection: Collection): Promise<number> {
  for (;;) {
    const { row } = await table.update(headKey(collection), { add: { rv: 1 } });
    const rv = Number(row?.rv);
    if (rv > FIRST_VERSION) return rv;
  }
}

export async function readWatermarks(table: Table, collection: Collection): Promise<Watermarks> {
  const row = await table.get(settledKey(collection));
  return {
    settled: Number(row?.settled ?? FIRST_VERSION),
    compacted: Number(row?.compacted ?? FIRST_VERSION),
  };
}

/** Raises a watermark; a lower value than the present one changes nothing. */
export async function raiseWatermark(
  table: Table,
  collection: Collection,
  mark: keyof Watermarks,
  value: number,
): Promise<void> {
  await table.update(settledKey(collection), {
    set: { [mark]: value },
    condition: [{ any: [{ missing: mark }, { attribute: mark, is: '<', value }] }],
  });
}

/** Sleeps for a random part of `milliseconds`, at least half of it. */
export async function jitteredSleep(
  clock: Clock,
  fraction: number,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  await clock.sleep(milliseconds * (0.5 + fraction / 2), signal);
}
