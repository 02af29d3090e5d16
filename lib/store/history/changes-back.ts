import { TIMING } from '../../platform/index.ts';
import { GoneError } from '../errors.ts';
import { FIRST_VERSION, versionIn } from '../head.ts';
import type { ChangesBackPage, ChangesBackRequest } from '../history-contract.ts';
import { type JournalChange, type JournalEntry, parseEntry } from '../journal.ts';
import { headKey, journalKey, settledKey } from '../keys.ts';
import { type SettleOptions, settledEntries } from '../settle.ts';
import { type Watermarks, watermarksIn } from '../watermarks.ts';
import { newestBy } from './bisect.ts';

/** The number of keys in one batch read. */
const BATCH = 100;
/**
 * How much later than an entry's time an entry with a lower resourceVersion may have been written, in ms, by the clocks
 * of their writers.
 */
const DISORDER = TIMING.skew + TIMING.grace;

/**
 * One page of a collection's changes. It reads the journal backwards in batches, and skips holes. It ends at the first
 * entry that has expired, is missing, or belongs to a removed definition.
 */
export async function changesBack(
  options: SettleOptions,
  request: ChangesBackRequest,
): Promise<ChangesBackPage> {
  const { table, clock, collection } = options;
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = request;
  const rows = await table.batchGet([headKey(collection), settledKey(collection)]);
  const head = versionIn(rows.find(({ sk }) => sk === headKey(collection).sk));
  const marks = watermarksIn(rows.find(({ sk }) => sk === settledKey(collection).sk));
  let upTo = Math.min(head, request.upTo ?? (await begin(options, { head, marks, until })));
  const changes: JournalChange[] = [];
  let read = 0;
  let heap = 0;
  while (upTo > marks.floor) {
    const count = Math.min(BATCH, request.entries - read);
    const from = Math.max(marks.floor + 1, upTo - count + 1);
    const entries = await entriesOf(options, { from, upTo, marks });
    for (let rv = upTo; rv >= from; rv -= 1) {
      const entry = entries.get(rv);
      if (entry === undefined) return { changes, end: rv <= marks.compacted ? 'Expired' : 'Missing' };
      read += 1;
      if (entry.kind === 'hole') continue;
      if (entry.expires <= clock.now()) return { changes, end: 'Expired' };
      if (!entry.isLinked) return { changes, end: 'Missing' };
      if (entry.time + DISORDER < since) return { changes, end: 'Reached' };
      if (entry.repeats || entry.time < since || entry.time > until) continue;
      const whole = await entry.whole(table).catch(gone);
      if (whole === undefined) return { changes, end: 'Expired' };
      changes.push(whole);
      heap += entry.heap;
      if (heap > request.bytes) return cut(changes, rv - 1, marks);
    }
    upTo = from - 1;
    if (read >= request.entries) return cut(changes, upTo, marks);
  }
  return { changes, end: endAt(marks) };
}

/** The resourceVersion above which all entries are later than `until`. */
async function begin(
  options: SettleOptions,
  { head, marks, until }: { readonly head: number; readonly marks: Watermarks; readonly until: number },
): Promise<number> {
  if (until === Number.POSITIVE_INFINITY) return head;
  return newestBy(options, { above: marks.floor, upTo: head, time: until + DISORDER, isGapEarly: true });
}

function cut(changes: readonly JournalChange[], next: number, marks: Watermarks): ChangesBackPage {
  return next > marks.floor ? { changes, next } : { changes, end: endAt(marks) };
}

/** `floor` is the first resourceVersion if no definition was ever removed. */
function endAt({ floor }: Watermarks): 'Redefined' | 'Reached' {
  return floor > FIRST_VERSION ? 'Redefined' : 'Reached';
}

interface Stretch {
  readonly from: number;
  readonly upTo: number;
  readonly marks: Watermarks;
}

/** The entries of a range, by resourceVersion. All that were ever put are among them, unless they are gone. */
async function entriesOf(
  options: SettleOptions,
  { from, upTo, marks }: Stretch,
): Promise<ReadonlyMap<number, JournalEntry>> {
  const { table, collection } = options;
  const found = new Map<number, JournalEntry>();
  const versions = Array.from({ length: upTo - from + 1 }, (_, index) => from + index);
  const missing = () => versions.filter((rv) => !found.has(rv));
  for (const reading of ['eventual', 'consistent'] as const) {
    const keys = missing().map((rv) => journalKey(collection, rv));
    const rows = keys.length === 0 ? [] : await table.batchGet(keys, undefined, reading);
    for (const row of rows) found.set(Number(row.sk), parseEntry(row));
  }
  const open = missing().filter((rv) => rv > Math.max(marks.settled, marks.compacted));
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return found;
  // Writers may still commit here. The entries are awaited, so that no page leaves out an acknowledged change.
  for (const entry of await settledEntries(options, first, last).catch(none)) found.set(entry.rv, entry);
  return found;
}

/** Chunks of an entry go with it, or before it if the days of history were lowered. */
function gone(error: unknown): undefined {
  if (!(error instanceof GoneError)) throw error;
}

/** Compacted entries are gone. */
function none(error: unknown): JournalEntry[] {
  if (error instanceof GoneError) return [];
  throw error;
}
