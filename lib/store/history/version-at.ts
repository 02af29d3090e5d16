import { GoneError } from '../errors.ts';
import { FIRST_VERSION, versionIn } from '../head.ts';
import { readEntryTime } from '../journal.ts';
import { headKey, settledKey } from '../keys.ts';
import { LONGEST_ROLLBACK } from '../list/index.ts';
import type { SettleOptions } from '../settle.ts';
import { watermarksIn } from '../watermarks.ts';
import { newestBy } from './bisect.ts';

/**
 * The newest resourceVersion whose entry was written by `time`, in ms. A LIST can be at every resourceVersion that it
 * returns.
 *
 * @throws {GoneError}
 */
export async function versionAt(options: SettleOptions, time: number): Promise<number> {
  const { table, collection } = options;
  const rows = await table.batchGet([headKey(collection), settledKey(collection)]);
  const head = versionIn(rows.find(({ sk }) => sk === headKey(collection).sk));
  const { compacted } = watermarksIn(rows.find(({ sk }) => sk === settledKey(collection).sk));
  const above = Math.max(compacted, head - LONGEST_ROLLBACK);
  const found = await newestBy(options, { above, upTo: head, time });
  if (found > above || found === FIRST_VERSION) return found;
  const oldest = await readEntryTime(table, collection, above);
  if (oldest !== undefined && oldest <= time) return above;
  throw new GoneError(`the changes of ${collection} at ${new Date(time).toISOString()} are compacted`);
}
