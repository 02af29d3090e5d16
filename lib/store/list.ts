import type { Clock } from '../platform/index.ts';
import type { Labels } from '../selectors/index.ts';
import { type CandidateStream, planCandidates } from './candidates.ts';
import type { JournalTail, JournalView } from './journal-tail.ts';
import { nameAfter, nameKey, nameRange, objectKey, objectPartition, parseNameKey } from './keys.ts';
import type { Collection, ObjectState } from './object.ts';
import type { RelabelWindow } from './relabel-window.ts';
import { GoneError } from './settle.ts';
import { touchedStates } from './state-at.ts';
import type { ListPage, ListRequest } from './store.ts';
import type { Row, Table } from './table.ts';
import { readHead } from './watermarks.ts';
import { parseObjectRow } from './write.ts';

/** A resourceVersion above the head was asked for. Answered as 504 "Too large resource version". */
export class FutureVersionError extends Error {
  override name = 'FutureVersionError';
  readonly asked: number;
  readonly head: number;

  constructor(asked: number, head: number) {
    super(`Too large resource version: ${asked}, current: ${head}`);
    this.asked = asked;
    this.head = head;
  }
}

export interface ListOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly collection: Collection;
  readonly tail: JournalTail;
  readonly window: RelabelWindow;
}

/** Objects read at a time; also the rows of a page in memory. */
const LARGEST_BATCH = 100;
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
  const head = await readHead(options.table, options.collection);
  const at = request.at ?? head;
  if (at > head) throw new FutureVersionError(at, head);
  if (head - at > LONGEST_ROLLBACK) throw new GoneError(`resourceVersion ${at} is too old`);

  const range = nameRange(request.namespace);
  const wanted = (request.limit ?? Number.POSITIVE_INFINITY) + 1;
  const last = request.after && nameKey(request.after);
  // A token may come from a request about another namespace, or be made up.
  let from = last !== undefined && last >= range.from ? nameAfter(last) : range.from;
  if (from > range.to) return { rv: at, items: [] };
  const listing = { ...options, journal: journalFrom(options, at) };
  const source = await sourceOf(listing, { ...request, at }, from);
  const items: ObjectState[] = [];
  let count = Math.min(LARGEST_BATCH, wanted);
  for (let ended = false; !ended && items.length < wanted; count = Math.min(count * 2, LARGEST_BATCH)) {
    const batch = await source.next(from, count);
    const upTo = batch.boundary ?? range.to;
    items.push(...(await statesOf(listing, request, { batch, at, from, upTo })));
    from = nameAfter(upTo);
    ended = batch.boundary === undefined;
  }
  const page = items.slice(0, request.limit);
  return { rv: at, items: page, ...(items.length > page.length ? { next: page.at(-1)?.name } : {}) };
}

/** The next stretch of names, and of those that may match: their rows, read before the journal is. */
interface Batch {
  readonly rows: ReadonlyMap<string, Row>;
  /** The last name of the stretch; undefined when it goes to the end. */
  readonly boundary: string | undefined;
}

interface Source {
  next(from: string, count: number): Promise<Batch>;
}

interface Listing extends ListOptions {
  /** The journal from `at` up to the head as it is now; what one request has read it does not read again. */
  journal(): Promise<JournalView>;
}

function journalFrom({ table, collection, tail }: ListOptions, at: number): () => Promise<JournalView> {
  let view: JournalView | undefined;
  return async () => {
    const head = await readHead(table, collection);
    if (view === undefined) {
      view = await tail.cover(table, head, at);
    } else if (head > view.upTo) {
      const { upTo } = view;
      const newer = await tail.cover(table, head, upTo);
      const entries = newer.entries.filter((entry) => entry.rv > upTo);
      view = { ...view, upTo: newer.upTo, entries: [...view.entries, ...entries] };
    }
    return view;
  };
}

/** A request whose resourceVersion is decided. */
type ListAt = ListRequest & { readonly at: number };

async function sourceOf(options: Listing, request: ListAt, from: string): Promise<Source> {
  const { table, collection } = options;
  const { name, namespace, selector } = request;
  // Only `nothing` has no requirements and yet is not empty.
  if (selector.requirements.length === 0 && !selector.isEmpty) {
    return { next: async () => ({ rows: new Map(), boundary: undefined }) };
  }
  if (name !== undefined && namespace !== undefined) {
    return {
      next: async () => ({
        rows: await rowsOf(options, [nameKey({ namespace, name })]),
        boundary: undefined,
      }),
    };
  }
  const stream = await planCandidates({ table, collection, namespace, selector, from });
  return stream === undefined ? collectionSource(options, request) : indexSource(options, request, stream);
}

function collectionSource({ table, collection }: ListOptions, request: ListAt): Source {
  const { to } = nameRange(request.namespace);
  return {
    next: async (from, limit) => {
      const page = await table.query({ partition: objectPartition(collection), from, to, limit });
      return {
        rows: new Map(page.rows.map((row) => [row.sk, row])),
        boundary: page.more ? page.rows.at(-1)?.sk : undefined,
      };
    },
  };
}

/**
 * The index's candidates, corrected by the relabel window: the labels of an object that was relabelled lately
 * are what the window says, whatever the index shows, and it may not show it at all.
 */
function indexSource(options: Listing, request: ListAt, stream: CandidateStream): Source {
  const { selector } = request;
  let relabelled: Relabelled | undefined;
  let passed = 0;

  return {
    next: async (from, count) => {
      relabelled ??= await relabelledFrom(options, request, from);
      const { labels, matching } = relabelled;
      const names: string[] = [];
      let boundary: string | undefined;
      for (let position = from; names.length < count; position = nameAfter(boundary)) {
        const candidate = await stream.seek(position);
        const corrected = matching[passed];
        boundary = firstOf(candidate?.nameKey, corrected);
        if (boundary === undefined) break;
        const indexed =
          !labels.has(boundary) && candidate !== undefined && selector.matches(candidate.labels);
        if (boundary === corrected) passed += 1;
        if (boundary === corrected || indexed) names.push(boundary);
      }
      return { rows: await rowsOf(options, names), boundary };
    },
  };
}

function firstOf(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}

/** The labels of the objects relabelled lately, and the names behind `from` of those that match, ascending. */
interface Relabelled {
  readonly labels: ReadonlyMap<string, Labels | undefined>;
  readonly matching: readonly string[];
}

async function relabelledFrom(options: Listing, request: ListAt, from: string): Promise<Relabelled> {
  const labels = await options.window.labelsAt(options.table, await options.journal(), request.at);
  const { to } = nameRange(request.namespace);
  const matching = [...labels].flatMap(([name, now]) =>
    now !== undefined && name >= from && name <= to && request.selector.matches(now) ? [name] : [],
  );
  return { labels, matching: matching.sort() };
}

async function rowsOf(
  { table, collection }: ListOptions,
  names: readonly string[],
): Promise<Map<string, Row>> {
  const rows = await table.batchGet(names.map((name) => objectKey(collection, name)));
  return new Map(rows.map((row) => [row.sk, row]));
}

interface Stretch {
  readonly batch: Batch;
  readonly at: number;
  readonly from: string;
  readonly upTo: string;
}

async function statesOf(options: Listing, request: ListRequest, stretch: Stretch): Promise<ObjectState[]> {
  const { batch, at, from, upTo } = stretch;
  const touched = touchedStates(await options.journal(), at);
  const names = new Set([...batch.rows.keys(), ...touched.keys()]);
  const within = [...names].filter((name) => name >= from && name <= upTo);
  return within.sort().flatMap((name) => {
    const row = batch.rows.get(name);
    const state = touched.has(name) ? touched.get(name)?.() : row && parseObjectRow(parseNameKey(name), row);
    return state !== undefined && isWanted(request, state) ? [state] : [];
  });
}

function isWanted(request: ListRequest, state: ObjectState): boolean {
  return (
    (request.namespace === undefined || request.namespace === state.name.namespace) &&
    (request.name === undefined || request.name === state.name.name) &&
    request.selector.matches(state.labels) &&
    (request.matches?.(state) ?? true)
  );
}
