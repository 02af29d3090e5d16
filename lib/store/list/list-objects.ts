import type { Collection } from '../../json/index.ts';
import { jsonSizeOf } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
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
import { parseObjectRow } from '../write.ts';
import { PlanRecorder } from './list-plan.ts';
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

/** Between looks at a row that is not readable yet, in ms. */
const PAUSE = 5;
/** Rows read at a time; fewer for a short page, which all the same can tell how many of a few objects remain. */
export const FIRST_BATCH = 100;
const LEAST_BATCH = 25;
export const LARGEST_BATCH = 1_000;
/** Relabel entries that are read before the collection's rows are tried instead of an index. */
export const MOST_RELABELS = 20_000;
/** A page token older than this many changes is answered with 410: rolling back would cost too much. */
const LONGEST_ROLLBACK = 20_000;

/**
 * The matching objects as they are at ONE resourceVersion, in the order of their names.
 *
 *   at        the head when the request began, or the one asked for
 *   names     beside it the first candidates of the label indexes: what these do not show yet, the window knows.
 *             Which index is for a label key, a process knows; where it does not, it asks after the head
 *   rows      in batches: the collection's own, or those of a label index's candidates
 *   tail      AFTER each batch: the head again, everything up to it settled, and the journal
 *   answer    an object that the tail touches is what the tail says it was at `at`; any other is its row
 *   rows      that are behind what the tail says are waited for, so that no later read is behind the answer
 *
 * @throws {GoneError} `at` is compacted. {@link FutureVersionError} `at` is above the head.
 */
export async function listObjects(options: ListOptions, request: ListRequest): Promise<ListPage> {
  const recorder = request.explain === true ? new PlanRecorder(options.table) : undefined;
  const reads = recorder ?? uncounted(options.table);
  const { limit, mostHeap = Number.POSITIVE_INFINITY } = request;
  const range = nameRange(request.namespace);
  const wanted = (limit ?? Number.POSITIVE_INFINITY) + 1;
  const last = request.after && nameKey(request.after);
  // A token may come from a request about another namespace, or be made up.
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
  let count = Math.max(Math.min(FIRST_BATCH, wanted), request.selector.isEmpty ? LEAST_BATCH : 1);
  let full = false;
  let remaining: number | undefined;
  for (let ended = from > range.to; !ended && !full; pages += 1) {
    const batch = await source.next(from, count);
    const upTo = batch.boundary ?? range.to;
    const touched = await readable({ ...options, reads, overlay }, request, { rows: batch.rows, from, upTo });
    ended = batch.boundary === undefined;
    const stretch = { batch, touched, from, upTo };
    const names = namesOf(request, stretch);
    for (const [index, name] of names.entries()) {
      // What follows need not be selected: to look for the next that is could take all of the collection.
      const found = items.length === limit ? undefined : foundAt(request, stretch, name);
      heap += found?.heap ?? 0;
      full = items.length === limit || (items.length > 0 && heap > mostHeap);
      remaining = full && ended ? names.length - index : undefined;
      if (full) break;
      if (found !== undefined) items.push(found.state);
    }
    from = nameAfter(upTo);
    count = Math.min(count * 2, LARGEST_BATCH);
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
 * What the journal touches, once the rows of the stretch that it overrules are readable as it says. The rows of one
 * transaction become readable one by one: without the wait a client could be listed an object, and then be told by a
 * GET that it is not there. Costs nothing where no row is behind.
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

/** The names of rows that are older than the journal's entry, or not there yet. */
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
}

interface Found {
  readonly state: ObjectState;
  /** About what it takes of the heap, in bytes. */
  readonly heap: number;
}

/** In their order: what a stretch may show. */
function namesOf(request: ListRequest, { batch, touched, from, upTo }: Stretch): string[] {
  const names: string[] = [];
  for (const name of batch.rows.keys()) if (!touched.has(name)) names.push(name);
  for (const [name, object] of touched) if (object.matches(request.selector)) names.push(name);
  return names.filter((name) => name >= from && name <= upTo).sort();
}

/** One decoded after the other: all together may be more than there is room for. */
function foundAt(request: ListRequest, { batch, touched }: Stretch, name: string): Found | undefined {
  const row = batch.rows.get(name);
  const over = touched.get(name);
  const state = over === undefined ? row && stateOfRow(request, name, row) : over.state();
  if (state === undefined || !isWanted(request, state)) return undefined;
  return { state, heap: over?.heap() ?? Number(row?.heap ?? jsonSizeOf(state.body).heap) };
}

/** Undefined without a look at the body, where the row's labels do not match. */
export function stateOfRow(
  { selector }: Pick<ListRequest, 'selector'>,
  name: string,
  row: Row,
): ObjectState | undefined {
  const matches = selector.isEmpty || selector.matches(JSON.parse(String(row.labels)));
  return matches ? parseObjectRow(parseNameKey(name), row) : undefined;
}

function isWanted(request: ListRequest, state: ObjectState): boolean {
  return (
    isSelected(request, nameKey(state.name)) &&
    request.selector.matches(state.labels) &&
    (request.matches?.(state) ?? true)
  );
}

/** By its name alone. */
export function isSelected(request: Pick<ListRequest, 'namespace' | 'name'>, key: string): boolean {
  const { namespace, name } = parseNameKey(key);
  return (
    (request.namespace === undefined || request.namespace === namespace) &&
    (request.name === undefined || request.name === name)
  );
}
