import type { ListPage, ListRequest } from '../contract.ts';
import { FutureVersionError, GoneError } from '../errors.ts';
import { extentOf } from '../extent.ts';
import { readHead } from '../head.ts';
import type { JournalTail } from '../journal-tail.ts';
import { nameAfter, nameKey, nameRange, parseNameKey } from '../keys.ts';
import { uncounted } from '../list-reads.ts';
import type { Collection, ObjectState } from '../object.ts';
import type { RelabelWindow } from '../relabel-window.ts';
import type { Row, Table } from '../table.ts';
import { parseObjectRow } from '../write.ts';
import { PlanRecorder } from './list-plan.ts';
import { type Batch, sourceOf } from './list-sources.ts';
import { Overlay } from './overlay.ts';
import type { TouchedStates } from './state-at.ts';

export interface ListOptions {
  readonly table: Table;
  readonly collection: Collection;
  readonly tail: JournalTail;
  readonly window: RelabelWindow;
}

/** Rows read at a time. */
const FIRST_BATCH = 100;
const LARGEST_BATCH = 1_000;
/** Relabel entries that are read before the collection's rows are tried instead of an index. */
const MOST_RELABELS = 20_000;
/** A page token older than this many changes is answered with 410: rolling back would cost too much. */
const LONGEST_ROLLBACK = 20_000;

/**
 * The matching objects as they are at ONE resourceVersion, in the order of their names.
 *
 *   at        the head when the request began, or the one asked for
 *   rows      in batches: the collection's own, or those of a label index's candidates
 *   tail      AFTER each batch: the head again, everything up to it settled, and the journal
 *   answer    an object that the tail touches is what the tail says it was at `at`; any other is its row
 *
 * @throws {GoneError} `at` is compacted. {@link FutureVersionError} `at` is above the head.
 */
export async function listObjects(options: ListOptions, request: ListRequest): Promise<ListPage> {
  const recorder = request.explain === true ? new PlanRecorder(options.table) : undefined;
  const reads = recorder ?? uncounted(options.table);
  const head = await readHead(reads.from('head'), options.collection);
  const at = request.at ?? head;
  if (at > head) throw new FutureVersionError(at, head);
  if (head - at > LONGEST_ROLLBACK) throw new GoneError(`resourceVersion ${at} is too old`);

  const { limit, mostHeap = Number.POSITIVE_INFINITY } = request;
  const range = nameRange(request.namespace);
  const wanted = (limit ?? Number.POSITIVE_INFINITY) + 1;
  const last = request.after && nameKey(request.after);
  // A token may come from a request about another namespace, or be made up.
  let from = last !== undefined && last >= range.from ? nameAfter(last) : range.from;
  const overlay = new Overlay({ ...options, reads }, at);
  const sources = { ...options, reads, mostRelabels: MOST_RELABELS, journal: () => overlay.upTo(head) };
  const source = await sourceOf(sources, request, from);
  const items: ObjectState[] = [];
  let heap = 0;
  let pages = 0;
  let count = Math.min(FIRST_BATCH, wanted);
  let full = false;
  for (let ended = from > range.to; !ended && !full; pages += 1) {
    const batch = await source.next(from, count);
    const upTo = batch.boundary ?? range.to;
    for (const found of statesOf(request, { batch, touched: await overlay.touched(), from, upTo })) {
      heap += found.heap;
      full = items.length === limit || (items.length > 0 && heap > mostHeap);
      if (full) break;
      items.push(found.state);
    }
    from = nameAfter(upTo);
    ended = batch.boundary === undefined;
    count = Math.min(count * 2, LARGEST_BATCH);
  }
  const plan = recorder?.plan({ source, pages, matches: items.length, ...overlay.facts });
  return {
    rv: at,
    items,
    ...(full ? { next: items.at(-1)?.name } : {}),
    ...(plan && { plan }),
  };
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

/** One decoded after the other: all together may be more than there is room for. */
function* statesOf(request: ListRequest, { batch, touched, from, upTo }: Stretch): Generator<Found> {
  const names: string[] = [];
  for (const name of batch.rows.keys()) if (!touched.has(name)) names.push(name);
  for (const [name, object] of touched) if (object.matches(request.selector)) names.push(name);
  for (const name of names.filter((name) => name >= from && name <= upTo).sort()) {
    const row = batch.rows.get(name);
    const over = touched.get(name);
    const state = over === undefined ? row && stateOfRow(request, name, row) : over.state();
    if (state === undefined || !isWanted(request, state)) continue;
    yield { state, heap: over?.heap() ?? Number(row?.heap ?? extentOf(state.body).heap) };
  }
}

/** Undefined without a look at the body, where the row's labels do not match. */
function stateOfRow({ selector }: ListRequest, name: string, row: Row): ObjectState | undefined {
  const matches = selector.isEmpty || selector.matches(JSON.parse(String(row.labels)));
  return matches ? parseObjectRow(parseNameKey(name), row) : undefined;
}

function isWanted(request: ListRequest, state: ObjectState): boolean {
  return (
    (request.namespace === undefined || request.namespace === state.name.namespace) &&
    (request.name === undefined || request.name === state.name.name) &&
    request.selector.matches(state.labels) &&
    (request.matches?.(state) ?? true)
  );
}
