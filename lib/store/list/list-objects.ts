import type { Collection } from '../../json/index.ts';
import { jsonSizeOf } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';
import { isApart, wholeRow } from '../bodies-apart.ts';
import type { ListPage, ListRequest } from '../contract.ts';
import { FutureVersionError, GoneError } from '../errors.ts';
import { readHead } from '../head.ts';
import type { JournalTail } from '../journal-tail.ts';
import { nameAfter, nameKey, nameRange, objectKey, parseNameKey } from '../keys.ts';
import type { LabelSlots } from '../labels/index.ts';
import { type ListReads, uncounted } from '../list-reads.ts';
import type { ObjectState } from '../object.ts';
import type { RelabelWindow } from '../relabel-window.ts';
import type { Row, Table } from '../table.ts';
import { storedObject } from '../write.ts';
import { type Batch, type SourceOptions, sourceOf } from './list-sources.ts';
import { Overlay } from './overlay.ts';
import type { TouchedStates } from './state-at.ts';

export interface ListOptions {
  readonly clock: Clock;
  readonly table: Table;
  readonly collection: Collection;
  readonly tail: JournalTail;
  readonly window: RelabelWindow;
  readonly slots: LabelSlots;
}

/** The pause before a row that is not readable yet is read again, in ms. */
const PAUSE = 5;
/**
 * The rows of a batch. The first batch has the rows of the page if all match, and without a selector at least
 * `LEAST_BATCH`, so that it can still report how many of a few objects remain. Each later batch is twice as large.
 */
export const FIRST_BATCH = 100;
const LEAST_BATCH = 25;
export const LARGEST_BATCH = 1_000;
/** The number of relabel entries to read before LIST tries the collection's rows instead of an index. */
export const MOST_RELABELS = 20_000;
/**
 * The maximum number of changes since a page token's resourceVersion. Beyond it the answer is 410: rolling back would
 * cost too much.
 */
export const LONGEST_ROLLBACK = 20_000;

/**
 * Lists the matching objects as they are at ONE resourceVersion, in the order of their names.
 *
 *   at        the head when the request began, or the requested resourceVersion
 *   names     in parallel, the first candidates of the label indexes; the relabel window corrects what these do not
 *             show yet. If this process does not know which index a label key has, it reads that after the head
 *   rows      in batches: the collection's own, or those of a label index's candidates
 *   tail      AFTER each batch: the head again, everything up to it settled, and the journal
 *   answer    an object that the tail changes is in the state that the tail gives for `at`; any other has the state of its row
 *   wait      for rows that are behind the tail, so that no later read is behind the answer
 *
 * @throws {GoneError} `at` is compacted. {@link FutureVersionError} `at` is above the head.
 */
export async function listObjects(options: ListOptions, request: ListRequest): Promise<ListPage> {
  const recorder = request.explain === true ? await recorderOf(options) : undefined;
  const reads = recorder ?? uncounted(options.table);
  const { limit, mostHeap = Number.POSITIVE_INFINITY } = request;
  const range = nameRange(request.namespace);
  const wanted = (limit ?? Number.POSITIVE_INFINITY) + 1;
  const last = request.after && nameKey(request.after);
  // A client may send a token of another namespace, or an invented one.
  let from = last !== undefined && last >= range.from ? nameAfter(last) : range.from;
  const reading = readHead(reads.from('head'), options.collection);
  const sources: SourceOptions = {
    ...options,
    reads,
    head: reading,
    mostRelabels: MOST_RELABELS,
    journal: () => overlay.upTo(head),
  };
  const [head, source] = await Promise.all([reading, sourceOf(sources, request, from)]);
  const at = request.at ?? head;
  if (at > head) throw new FutureVersionError(at, head);
  if (head - at > LONGEST_ROLLBACK) throw new GoneError(`resourceVersion ${at} is too old`);

  const overlay = new Overlay({ ...options, reads }, at);
  const items: ObjectState[] = [];
  let heap = 0;
  let pages = 0;
  let count = Math.min(Math.max(wanted, request.selector.isEmpty ? LEAST_BATCH : 1), LARGEST_BATCH);
  let full = false;
  let remaining: number | undefined;
  for (let ended = from > range.to; !ended && !full; pages += 1) {
    const batch = await source.next(from, count);
    const upTo = batch.boundary ?? range.to;
    const touched = await readable({ ...options, reads, overlay }, request, { rows: batch.rows, from, upTo });
    ended = batch.boundary === undefined;
    const stretch = { batch, touched, from, upTo, table: reads.from('objects') };
    const names = namesOf(request, stretch);
    for (const [index, name] of names.entries()) {
      // The objects that follow need not match: looking for the next match could read the whole collection.
      const finding = items.length === limit ? undefined : foundAt(request, stretch, name);
      const found = finding instanceof Promise ? await finding : finding;
      heap += found?.heap ?? 0;
      full = items.length === limit || (items.length > 0 && heap > mostHeap);
      remaining = full && ended ? names.length - index : undefined;
      if (full) break;
      if (found !== undefined) items.push(found.state);
    }
    from = nameAfter(upTo);
    count = Math.min(Math.max(count * 2, FIRST_BATCH), LARGEST_BATCH);
  }
  const plan = recorder?.plan({ source, pages, matches: items.length, ...overlay.facts });
  return {
    rv: at,
    items,
    ...(full ? { next: items.at(-1)?.name } : {}),
    ...(remaining === undefined ? {} : { remaining }),
    ...(plan && { plan }),
  };
}

/** Only requests that ask for the plan load this code. */
async function recorderOf({ table }: ListOptions) {
  const { PlanRecorder } = await import('./list-plan.ts');
  return new PlanRecorder(table);
}

interface ReadableOptions extends ListOptions {
  readonly reads: ListReads;
  readonly overlay: Overlay;
}

interface ReadRows {
  readonly rows: ReadonlyMap<string, Row>;
  readonly from: string;
  readonly upTo: string;
}

/**
 * Returns the objects that the journal changes, once the rows of the range are as new as the journal says. The rows
 * of one transaction become readable one by one. Without this wait, a client could see an object in a LIST and then
 * get 404 from a GET. It costs nothing if no row is behind.
 */
async function readable(
  options: ReadableOptions,
  request: ListRequest,
  read: ReadRows,
): Promise<TouchedStates> {
  const { reads, overlay, collection, clock, table } = options;
  const rows = new Map(read.rows);
  for (;;) {
    const touched = await overlay.touched();
    const late = lateNames(touched, request, { ...read, rows });
    if (late.length === 0) return touched;
    await clock.sleep(PAUSE, table.deadline);
    const again = await reads.from('objects').batchGet(late.map((name) => objectKey(collection, name)));
    for (const name of late) rows.delete(name);
    for (const row of again) rows.set(row.sk, row);
  }
}

/** The names of rows that are older than the journal's entry, or missing. */
function lateNames(touched: TouchedStates, request: ListRequest, { rows, from, upTo }: ReadRows): string[] {
  const late: string[] = [];
  for (const [name, object] of touched) {
    if (object.since === undefined || name < from || name > upTo) continue;
    const row = rows.get(name);
    const missing = row === undefined && isSelected(request, name) && object.matches(request.selector);
    if (missing || (row !== undefined && Number(row.rv) < object.since)) late.push(name);
  }
  return late;
}

interface Stretch {
  readonly batch: Batch;
  readonly touched: TouchedStates;
  readonly from: string;
  readonly upTo: string;
  /** The table from which bodies in chunk rows are read. */
  readonly table: Table;
}

interface Found {
  readonly state: ObjectState;
  /** The approximate size on the heap, in bytes. */
  readonly heap: number;
}

/** The names in a range that may be in the answer, in order. */
function namesOf(request: ListRequest, { batch, touched, from, upTo }: Stretch): string[] {
  const names: string[] = [];
  for (const name of batch.rows.keys()) if (!touched.has(name)) names.push(name);
  for (const [name, object] of touched) if (object.matches(request.selector)) names.push(name);
  return names.filter((name) => name >= from && name <= upTo).sort();
}

/**
 * The object of that name, if it matches. Objects are decoded one at a time: all of them together may not fit in
 * memory. Only a body in chunk rows takes a read.
 */
function foundAt(
  request: ListRequest,
  { batch, touched, table }: Stretch,
  name: string,
): Found | Promise<Found | undefined> | undefined {
  if (!isSelected(request, name)) return undefined;
  const over = touched.get(name);
  const row = batch.rows.get(name);
  const reading = over === undefined ? row && stateOfRow(request, { name, row, table }) : over.state(table);
  const found = (state: ObjectState | undefined): Found | undefined =>
    state === undefined || !isWanted(request, name, state)
      ? undefined
      : { state, heap: over?.heap() ?? Number(row?.heap ?? jsonSizeOf(state.body).heap) };
  return reading instanceof Promise ? reading.then(found) : found(reading);
}

interface NamedRow {
  readonly name: string;
  readonly row: Row;
  /** The table from which a body in chunk rows is read. */
  readonly table: Table;
}

/**
 * The object of a row, whose body is not decoded yet. Undefined if the row's labels do not match; a body in chunk rows is
 * not read then.
 */
export function stateOfRow(
  { selector }: Pick<ListRequest, 'selector'>,
  { name, row, table }: NamedRow,
): ObjectState | Promise<ObjectState> | undefined {
  const labels: Labels = JSON.parse(String(row.labels));
  if (!selector.isEmpty && !selector.matches(labels)) return undefined;
  const stored = (whole: Row) => storedObject(parseNameKey(name), whole, labels);
  return isApart(row) ? wholeRow(table, row).then(stored) : stored(row);
}

function isWanted(request: ListRequest, key: string, state: ObjectState): boolean {
  return (
    isSelected(request, key) && request.selector.matches(state.labels) && (request.matches?.(state) ?? true)
  );
}

/** Whether a name key matches the request's namespace and name. */
export function isSelected(request: Pick<ListRequest, 'namespace' | 'name'>, key: string): boolean {
  const { namespace, name } = parseNameKey(key);
  return (
    (request.namespace === undefined || request.namespace === namespace) &&
    (request.name === undefined || request.name === name)
  );
}
