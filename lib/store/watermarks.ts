import type { Collection } from '../json/index.ts';
import { FIRST_VERSION } from './head.ts';
import { settledKey } from './keys.ts';
import type { Table } from './table.ts';

export interface Watermarks {
  /** Every resourceVersion up to here is decided for ever. */
  readonly settled: number;
  /** Every journal entry up to here may be gone. */
  readonly compacted: number;
}

export async function readWatermarks(table: Table, collection: Collection): Promise<Watermarks> {
  const row = await table.get(settledKey(collection));
  return {
    settled: Number(row?.settled ?? FIRST_VERSION),
    compacted: Number(row?.compacted ?? FIRST_VERSION),
  };
}

/** Raises a watermark; a value below the current one changes nothing. */
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
