import { MEMORY } from '../../platform/index.ts';
import { wholeRow } from '../bodies-apart.ts';
import { GoneError } from '../errors.ts';
import type { HistoryCursor, HistoryEnd, HistoryPage, HistoryRequest } from '../history-contract.ts';
import type { JournalChange } from '../journal.ts';
import { parseEntry } from '../journal.ts';
import { journalKey, nameKey, objectKey, settledKey, tombstoneKey } from '../keys.ts';
import type { ObjectState } from '../object.ts';
import type { SettleOptions } from '../settle.ts';
import type { Key, Row } from '../table.ts';
import { type Watermarks, watermarksIn } from '../watermarks.ts';
import { parseObjectRow } from '../write.ts';

/** The most reads of the start. Each is repeated if the object was deleted between the reads of row and tombstone. */
const START_ATTEMPTS = 3;

/** The pause between the reads of an object that is gone and of its tombstone, in ms. */
const TOMBSTONE_PAUSE = 100;
/** The pauses between reads of a row that is not readable yet, in ms. */
const FIRST_PAUSE = 5;
const LAST_PAUSE = 640;

/** The beginning of a page. */
interface Start {
  readonly marks: Watermarks;
  readonly cursor: HistoryCursor | undefined;
  /** The journal row at the cursor, if it was read along, consistently. */
  readonly row: Row | undefined;
  readonly present?: ObjectState | undefined;
}

/**
 * One page of an object's history. Each journal entry names the change before it, so a page reads one row a change,
 * whatever the collection's size:
 *
 *   object      consistently, with the watermarks. The walk begins at its resourceVersion
 *   tombstone   after the object, so that it is the delete before the object's create. If there is no object, the walk
 *               begins there
 *   entries     from each to the one before; at the create it continues at the tombstone, with the former object of the name
 */
export async function historyOf(options: SettleOptions, request: HistoryRequest): Promise<HistoryPage> {
  const start =
    request.from === undefined ? await firstStart(options, request) : await nextStart(options, request.from);
  const { marks, present } = start;
  const changes: JournalChange[] = [];
  const page = { changes, ...(present && { present }) };
  let { cursor, row } = start;
  let heap = 0;
  for (let read = 0; cursor !== undefined && read < request.limit && heap < MEMORY.page; read += 1) {
    const entry = await entryAt(options, request, { cursor, row, marks });
    if (typeof entry === 'string') return { ...page, end: entry };
    heap += entry.heap;
    if (request.all ? !entry.repeats : entry.changesMain) changes.push(entry);
    if (request.sight?.endsAt(entry)) return { ...page, end: entry.type === 'ADDED' ? 'Created' : 'Missing' };
    const next = cursorAfter(entry, cursor, request);
    if (typeof next === 'string') return { ...page, end: next };
    cursor = next;
    row = undefined;
  }
  return cursor === undefined ? { ...page, end: 'Expired' } : { ...page, next: cursor };
}

async function firstStart(options: SettleOptions, { name, all, sight }: HistoryRequest): Promise<Start> {
  const { table, clock, collection } = options;
  const key = nameKey(name);
  for (let attempt = 1; ; attempt += 1) {
    const [object, settled] = await rowsAt(options, [objectKey(collection, key), settledKey(collection)]);
    const marks = watermarksIn(settled);
    const present = object && parseObjectRow(name, await wholeRow(table, object));
    const newest = present && (all ? present.rv : (present.mainRv ?? present.rv));
    if (sight !== undefined) {
      const isSeen = present !== undefined && newest !== undefined && sight.shows(present);
      return { marks, cursor: isSeen ? { rv: newest } : undefined, row: undefined, present };
    }
    const more = newest === undefined ? [] : [journalKey(collection, newest)];
    // The delete of an object may be readable before its tombstone.
    if (present === undefined) await clock.sleep(TOMBSTONE_PAUSE, table.deadline);
    const [dead, row] = await rowsAt(options, [tombstoneKey(collection, key), ...more]);
    const isDead =
      dead !== undefined && Number(dead.rv) > marks.floor && Number(dead.ttl) * 1000 > clock.now();
    const tombstone = isDead ? Number(dead.rv) : undefined;
    if (present === undefined || newest === undefined) {
      return { marks, cursor: tombstone === undefined ? undefined : { rv: tombstone }, row: undefined };
    }
    if (tombstone === undefined) return { marks, cursor: { rv: newest }, row, present };
    if (tombstone < present.rv) return { marks, cursor: { rv: newest, tombstone }, row, present };
    // This delete is newer than the object, so the walk does not continue there: the object is deleted and created all the
    // time, or a restore has found it undeleted.
    if (attempt === START_ATTEMPTS) return { marks, cursor: { rv: newest }, row, present };
  }
}

async function nextStart(options: SettleOptions, cursor: HistoryCursor): Promise<Start> {
  const { collection } = options;
  const [settled, row] = await rowsAt(options, [settledKey(collection), journalKey(collection, cursor.rv)]);
  return { marks: watermarksIn(settled), cursor, row };
}

/** The rows of these keys, in their order; read consistently, in one request. */
async function rowsAt({ table }: SettleOptions, keys: readonly Key[]): Promise<(Row | undefined)[]> {
  const rows = await table.batchGet(keys);
  return keys.map(({ pk, sk }) => rows.find((row) => row.pk === pk && row.sk === sk));
}

interface Asked {
  readonly cursor: HistoryCursor;
  readonly row: Row | undefined;
  readonly marks: Watermarks;
}

/** The change at the cursor, or why there is none. */
async function entryAt(
  options: SettleOptions,
  { name }: HistoryRequest,
  { cursor: { rv }, row: known, marks }: Asked,
): Promise<JournalChange | HistoryEnd> {
  const { table, clock, collection } = options;
  const isYoung = rv > marks.compacted;
  if (rv <= marks.floor) return 'Redefined';
  const key = journalKey(collection, rv);
  const row =
    known ?? (await table.get(key, undefined, 'eventual')) ?? (await readRow(options, key, isYoung));
  if (row === undefined) return isYoung ? 'Missing' : 'Expired';
  const entry = parseEntry(row);
  if (entry.kind === 'hole' || entry.nameKey !== nameKey(name) || !entry.isLinked) return 'Missing';
  return entry.expires <= clock.now() ? 'Expired' : entry.whole(table).catch(expired);
}

/** Chunks of an entry go with it, or before it if the days of history were lowered. */
function expired(error: unknown): 'Expired' {
  if (error instanceof GoneError) return 'Expired';
  throw error;
}

/**
 * The row, read consistently. The rows of one transaction become readable one by one, so a young row that another one
 * names may not be readable yet.
 */
async function readRow(
  { table, clock }: SettleOptions,
  key: Key,
  isYoung: boolean,
): Promise<Row | undefined> {
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const row = await table.get(key);
    if (row !== undefined || !isYoung || pause > LAST_PAUSE) return row;
    await clock.sleep(pause, table.deadline);
  }
}

/** The cursor of the change before this one, or the reason why the walk ends. */
function cursorAfter(
  { rv, type, previousMain, previousRv }: JournalChange,
  { tombstone }: HistoryCursor,
  { all }: HistoryRequest,
): HistoryCursor | HistoryEnd {
  const next = type === 'ADDED' ? tombstone : all || previousMain === 0 ? previousRv : previousMain;
  if (next === undefined) return 'Created';
  if (next >= rv) return 'Missing';
  return type === 'ADDED' || tombstone === undefined ? { rv: next } : { rv: next, tombstone };
}
