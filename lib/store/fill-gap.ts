import type { Collection } from '../json/index.ts';
import { isJsonObject, type JsonValue } from '../json/index.ts';
import { GoneError } from './errors.ts';
import { type GapRange, MOST_IN_GAP } from './filler.ts';
import { FIRST_VERSION, readHead } from './head.ts';
import { type SettleOptions, settledEntries } from './settle.ts';

/** A valid collection name. It becomes part of keys, in which `#` is the separator. */
const COLLECTION = /^[a-z0-9.-]+\/[a-z0-9.-]+$/;

/**
 * Decides every resourceVersion of a gap that a caller reports. It does not trust the caller: it reads the head,
 * looks for the gap and gives it a grace here. So a request that is too early, or names a resourceVersion that was
 * not allotted, puts no hole.
 *
 * @throws {RangeError} `asked` is no valid gap, or its end is not allotted yet
 */
export async function fillGap(
  options: Omit<SettleOptions, 'collection' | 'filler'>,
  asked: JsonValue,
): Promise<void> {
  const gap = readGap(asked);
  const { collection, from, to } = gap;
  const head = await readHead(options.table, collection);
  if (to > head) throw new RangeError(`${to} is above ${head}, the last resourceVersion of ${collection}`);
  try {
    await settledEntries({ ...options, collection }, from, to);
  } catch (error) {
    // Compacted resourceVersions were decided long ago.
    if (!(error instanceof GoneError)) throw error;
  }
}

/** @throws {RangeError} */
function readGap(asked: JsonValue): GapRange {
  const { collection, from, to } = isJsonObject(asked) ? asked : {};
  const isNamed = typeof collection === 'string' && COLLECTION.test(collection);
  const [first, last] = [Number(from), Number(to)];
  const isRange =
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to) &&
    first > FIRST_VERSION &&
    last >= first &&
    last - first < MOST_IN_GAP;
  if (!isNamed || !isRange) throw new RangeError(`no gap: ${JSON.stringify(asked).slice(0, 200)}`);
  return { collection: collection as Collection, from: first, to: last };
}
