import type { Selector } from '../../selectors/index.ts';
import type { Access, ListRequest } from '../contract.ts';
import type { JournalView } from '../journal-tail.ts';
import { nameAfter, nameKey, nameRange, objectKey, objectPartition } from '../keys.ts';
import type { LabelSlots } from '../labels/index.ts';
import type { ListReads } from '../list-reads.ts';
import type { Collection } from '../object.ts';
import type { Relabel, RelabelWindow } from '../relabel-window.ts';
import type { Row } from '../table.ts';
import { type CandidatePlan, planCandidates } from './candidates.ts';
import type { Leapfrog } from './leapfrog.ts';

/** The next stretch of names, and of those that may match: their rows, read before the journal is. */
export interface Batch {
  readonly rows: ReadonlyMap<string, Row>;
  /** The last name of the stretch; undefined when it goes to the end. */
  readonly boundary: string | undefined;
}

/** What a LIST reads its rows from, one batch after the other. */
export interface Source {
  /** About `count` rows from the name `from` on. */
  next(from: string, count: number): Promise<Batch>;
  readonly access: Access;
  readonly candidates?: CandidatePlan;
  /** Objects in the relabel window, once it was read. */
  readonly relabelled?: number;
}

export interface SourceOptions {
  readonly reads: ListReads;
  readonly collection: Collection;
  readonly window: RelabelWindow;
  readonly slots: LabelSlots;
  /** Settled once the head was read that the answer is from, or a later one. */
  readonly head: Promise<unknown>;
  /**
   * Relabel entries worth reading to make use of an index. Beyond them the collection's rows are read, as many as
   * entries were, and both limits double until either comes to its end: neither's size is known, and so what is
   * read is a small multiple of what the cheaper one takes.
   */
  readonly mostRelabels: number;
  /** The journal from the answer's resourceVersion up to a head that was read when the request began. */
  journal(): Promise<JournalView>;
}

/** Objects fetched at a time; of those with large bodies fewer. A page of the collection's rows is 1 MB at most. */
const FIRST_FETCH = 100;
const LARGEST_FETCH = 400;
const MOST_FETCHED_BYTES = 16 * 1024 * 1024;

export async function sourceOf(options: SourceOptions, request: ListRequest, from: string): Promise<Source> {
  const { reads, collection, slots, head } = options;
  const { name, namespace, selector } = request;
  // Only `nothing` has no requirements and yet is not empty.
  const nothing = selector.requirements.length === 0 && !selector.isEmpty;
  if (nothing || from > nameRange(namespace).to) return NOTHING;
  if (name !== undefined && namespace !== undefined) {
    const next = async () => ({
      rows: await rowsOf(options, [nameKey({ namespace, name })]),
      boundary: undefined,
    });
    return { access: 'name', next };
  }
  const locate = (keys: readonly string[]) => slots.find(reads.from('slots'), keys, head);
  const plan = await planCandidates({ reads, collection, namespace, selector, from, locate });
  if (plan === 'nothing') return NOTHING;
  if (plan?.stream !== undefined) return new IndexSource(options, request, { ...plan, stream: plan.stream });
  return { ...rowSource(options, request), ...(plan && { candidates: plan }) };
}

const NOTHING: Source = {
  access: 'nothing',
  next: async () => ({ rows: new Map(), boundary: undefined }),
};

function rowSource({ reads, collection }: SourceOptions, request: ListRequest): Source {
  const { to } = nameRange(request.namespace);
  const partition = objectPartition(collection);
  return {
    access: 'rows',
    next: async (from, limit) => {
      const page = await reads.from('rows').query({ partition, from, to, limit });
      return {
        rows: new Map(page.rows.map((row) => [row.sk, row])),
        boundary: page.more ? page.rows.at(-1)?.sk : undefined,
      };
    },
  };
}

/**
 * The index's candidates, corrected by the relabel window: the labels of an object that was relabelled lately
 * are what the window says, whatever the index shows, and it may not show it at all. The collection's rows, as
 * long as the window is too much to read.
 */
class IndexSource implements Source {
  readonly candidates: IndexPlan;
  readonly #options: SourceOptions;
  readonly #request: ListRequest;
  readonly #rows: Source;
  #relabelled: Relabelled | undefined;
  #budget: number;
  #scanned = 0;
  #fetch = FIRST_FETCH;

  constructor(options: SourceOptions, request: ListRequest, candidates: IndexPlan) {
    this.#options = options;
    this.#request = request;
    this.candidates = candidates;
    this.#budget = options.mostRelabels;
    this.#rows = rowSource(options, request);
  }

  get access(): Access {
    return this.#relabelled === undefined ? 'rows' : 'index';
  }

  get relabelled(): number | undefined {
    return this.#relabelled?.relabels.size;
  }

  async next(from: string, count: number): Promise<Batch> {
    this.#relabelled ??= await this.#readWindow(from);
    if (this.#relabelled !== undefined) return this.#indexed(this.#relabelled, from, count);
    const batch = await this.#rows.next(from, count);
    this.#scanned += batch.rows.size;
    if (this.#scanned >= this.#budget) this.#budget *= 2;
    return batch;
  }

  async #readWindow(from: string): Promise<Relabelled | undefined> {
    const { reads, window } = this.#options;
    const view = await this.#options.journal();
    const relabels = await window.cover({ view, most: this.#budget, table: reads.from('window') });
    if (relabels === undefined) return undefined;
    const { to } = nameRange(this.#request.namespace);
    return { relabels, matching: matchingNames(relabels, this.#request.selector, { from, to }) };
  }

  async #indexed({ relabels, matching }: Relabelled, from: string, count: number): Promise<Batch> {
    const { selector } = this.#request;
    const names: string[] = [];
    let boundary: string | undefined;
    const most = Math.min(count, this.#fetch);
    for (let position = from; names.length < most; position = nameAfter(boundary)) {
      const candidate = await this.candidates.stream.seek(position);
      const corrected = matching.at(-1);
      boundary = firstOf(candidate?.nameKey, corrected);
      if (boundary === undefined) break;
      if (boundary === corrected) {
        matching.pop();
        names.push(boundary);
      } else if (!relabels.has(boundary) && candidate !== undefined && selector.matches(candidate.labels)) {
        names.push(boundary);
      }
    }
    const rows = await rowsOf(this.#options, names);
    this.#fetch = nextFetch([...rows.values()]);
    return { rows, boundary };
  }
}

/** As many as fit if all are as large as the largest of the last ones. */
function nextFetch(rows: readonly Row[]): number {
  const largest = rows.reduce((most, { body }) => Math.max(most, (body as string | Uint8Array).length), 1);
  const fitting = Math.floor(MOST_FETCHED_BYTES / largest);
  return Math.min(Math.max(fitting, FIRST_FETCH), LARGEST_FETCH);
}

interface IndexPlan extends CandidatePlan {
  readonly stream: Leapfrog;
}

interface Relabelled {
  readonly relabels: ReadonlyMap<string, Relabel>;
  /** Names still ahead of objects whose labels match, the next one last. */
  readonly matching: string[];
}

function matchingNames(
  relabels: ReadonlyMap<string, Relabel>,
  selector: Selector,
  { from, to }: { from: string; to: string },
): string[] {
  const names: string[] = [];
  for (const [name, { labels }] of relabels) {
    if (labels !== undefined && name >= from && name <= to && selector.matches(labels)) names.push(name);
  }
  return names.sort().reverse();
}

function firstOf(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}

async function rowsOf({ reads, collection }: SourceOptions, names: readonly string[]) {
  const rows = await reads.from('objects').batchGet(names.map((name) => objectKey(collection, name)));
  return new Map(rows.map((row) => [row.sk, row]));
}
