import type { Collection } from '../json/index.ts';
import { FIRST_VERSION } from './head.ts';
import { settledKey } from './keys.ts';
import type { Row, Table } from './table.ts';

export interface Watermarks {
  /** Every resourceVersion up to here is decided for ever. */
  readonly settled: number;
  /** Every journal entry up to here may be gone. */
  readonly compacted: number;
  /** Every entry up to here is of a removed definition of the collection's kind; history never shows it. */
  readonly floor: number;
}

export async function readWatermarks(table: Table, collection: Collection): Promise<Watermarks> {
  return watermarksIn(await table.get(settledKey(collection)));
}

/** The watermarks in their row; all are `FIRST_VERSION` if the row does not exist. */
export function watermarksIn(row: Row | undefined): Watermarks {
  return {
    settled: Number(row?.settled ?? FIRST_VERSION),
    compacted: Number(row?.compacted ?? FIRST_VERSION),
    floor: Number(row?.floor ?? FIRST_VERSION),
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
