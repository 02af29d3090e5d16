import type { Labels } from '../../selectors/index.ts';
import type { LabelsRead, LabelsRequest } from '../contract.ts';
import { TooManyToCountError } from '../errors.ts';
import { readHead } from '../head.ts';
import { nameAfter, nameRange } from '../keys.ts';
import { uncounted } from '../list-reads.ts';
import type { ObjectState } from '../object.ts';
import type { Table } from '../table.ts';
import {
  FIRST_BATCH,
  isSelected,
  LARGEST_BATCH,
  type ListOptions,
  MOST_RELABELS,
  stateOfRow,
} from './list-objects.ts';
import { PlanRecorder } from './list-plan.ts';
import { type LabelBatch, type Source, type SourceOptions, sourceOf } from './list-sources.ts';
import { Overlay } from './overlay.ts';
import type { TouchedStates } from './state-at.ts';

/**
 * Visits the labels of all objects that match, as they are at ONE resourceVersion, in no particular order. It works
 * like LIST, but if an index shows the labels, the objects' rows are not read.
 *
 *   at        the head when the request began
 *   labels    in ranges of names: an index's entries, corrected by the relabel window; or the collection's rows
 *   tail      AFTER each range: the head again, everything up to it settled, and the journal
 *   answer    an object that the tail changes has the labels that the tail gives for `at`
 *
 * @throws {TooManyToCountError} it would take more than `most`.
 */
export async function visitLabels(
  options: ListOptions,
  request: LabelsRequest,
  visit: (labels: Labels) => void,
): Promise<LabelsRead> {
  const recorder = request.explain === true ? new PlanRecorder(options.table) : undefined;
  const reads = recorder ?? uncounted(options.table);
  const reading = readHead(reads.from('head'), options.collection);
  const sources: SourceOptions = {
    ...options,
    reads,
    head: reading,
    mostRelabels: MOST_RELABELS,
    journal: async () => (await opening).upTo(await reading),
  };
  const opening = reading.then((at) => new Overlay({ ...options, reads }, at));
  let source: Source | undefined;
  let seen = 0;
  let count = 0;
  let pages = 0;
  for (const asked of placesOf(request)) {
    const range = nameRange(asked.namespace);
    const [from, overlay] = await Promise.all([sourceOf(sources, asked, range.from), opening]);
    source = from;
    const read = stretchesOf(source, asked, options.table);
    for (let position: string | undefined = range.from; position !== undefined; pages += 1) {
      const batch = await read(position, Math.min(FIRST_BATCH * 2 ** pages, LARGEST_BATCH));
      const upTo = batch.boundary ?? range.to;
      const touched = await overlay.touched();
      seen += batch.read;
      refuseMore(asked, source, seen);
      const stretch = { ...batch, touched, from: position, upTo, table: options.table };
      for await (const labels of labelsAt(asked, stretch)) {
        count += 1;
        visit(labels);
      }
      position = batch.boundary === undefined ? undefined : nameAfter(upTo);
    }
  }
  const { facts } = await opening;
  const plan = source && recorder?.plan({ source, pages, matches: count, ...facts });
  return { rv: await reading, count, ...(plan && { plan }) };
}

/** The request, split into one for each namespace, because the names of several namespaces are not adjacent. */
function placesOf(request: LabelsRequest): readonly LabelsRequest[] {
  const { namespaces } = request;
  return namespaces === undefined ? [request] : namespaces.map((namespace) => ({ ...request, namespace }));
}

/** Returns the function that reads a range. It reads rows if the request has a condition beyond labels. */
function stretchesOf(source: Source, request: LabelsRequest, table: Table): ReadStretch {
  const { matches } = request;
  if (matches === undefined) {
    return async (from, count) => {
      const batch = await source.nextLabels(from, count);
      return { ...batch, read: batch.labels.size };
    };
  }
  return async (from, count) => {
    const { rows, boundary } = await source.next(from, count);
    const labels = new Map<string, Labels>();
    // Bodies are decoded one at a time, as in a LIST.
    for (const [name, row] of rows) {
      const state = await stateOfRow(request, { name, row, table });
      if (state !== undefined && matches(state)) labels.set(name, state.labels);
    }
    return { labels, boundary, read: rows.size };
  };
}

/** Reads a range. `read` is the number of entries or rows, matching or not. */
type ReadStretch = (from: string, count: number) => Promise<LabelBatch & { readonly read: number }>;

function refuseMore({ most }: LabelsRequest, { access, candidates }: Source, seen: number): void {
  const isScan = access === 'rows' && candidates === undefined;
  const limit = isScan ? most.rows : most.candidates;
  if (seen > limit) throw new TooManyToCountError(limit, isScan);
}

interface Stretch extends LabelBatch {
  readonly touched: TouchedStates;
  readonly from: string;
  readonly upTo: string;
  readonly table: Table;
}

/** The labels of each object in the range that matches at the answer's resourceVersion. */
async function* labelsAt(
  request: LabelsRequest,
  { labels, touched, from, upTo, table }: Stretch,
): AsyncIterable<Labels> {
  const { selector, matches } = request;
  for (const [name, found] of labels) {
    if (!touched.has(name) && isSelected(request, name) && selector.matches(found)) yield found;
  }
  for (const [name, object] of touched) {
    if (name < from || name > upTo || !isSelected(request, name)) continue;
    const then = object.labels();
    if (then === undefined || !selector.matches(then)) continue;
    if (matches === undefined || isMatch(await object.state(table), matches)) yield then;
  }
}

function isMatch(state: ObjectState | undefined, matches: (state: ObjectState) => boolean): boolean {
  return state !== undefined && matches(state);
}
