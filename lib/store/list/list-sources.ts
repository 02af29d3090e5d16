import type { Collection } from '../../json/index.ts';
import { choicesOf, type Labels, type Selector } from '../../selectors/index.ts';
import type { AccessPath, ListRequest } from '../contract.ts';
import type { JournalView } from '../journal-tail.ts';
import { nameAfter, nameKey, nameRange, objectKey, objectPartition } from '../keys.ts';
import type { LabelSlots } from '../labels/index.ts';
import type { ListReads } from '../list-reads.ts';
import type { Relabel, RelabelWindow } from '../relabel-window.ts';
import type { Attribute, QueryPage, Row } from '../table.ts';
import type { Candidate, CandidatePlan, PlannedStream } from './candidate-stream.ts';
import { isNothing, planCandidates } from './candidates.ts';
import type { Density } from './density.ts';

/** The rows of the candidates in the next range of names, read before the journal. */
export interface Batch {
  readonly rows: ReadonlyMap<string, Row>;
  /** The last name of the range; undefined if it is the last range. */
  readonly boundary: string | undefined;
}

/** A batch without rows: the labels of each candidate, read before the journal. */
export interface LabelBatch extends Pick<Batch, 'boundary'> {
  readonly labels: ReadonlyMap<string, Labels>;
}

/** The source from which a LIST reads its rows, batch by batch. */
export interface Source {
  /** Reads about `count` rows from the name `from` on. */
  next(from: string, count: number): Promise<Batch>;
  /** Reads only labels. If an index shows them, it reads no row. */
  nextLabels(from: string, count: number): Promise<LabelBatch>;
  readonly access: AccessPath;
  readonly candidates?: CandidatePlan;
  /** The number of objects in the relabel window, once it was read. */
  readonly relabelled?: number;
}

export interface SourceOptions {
  readonly reads: ListReads;
  readonly collection: Collection;
  readonly window: RelabelWindow;
  readonly slots: LabelSlots;
  /** Settles when the head of the answer, or a later one, was read. */
  readonly head: Promise<unknown>;
  /**
   * The number of relabel entries worth reading in order to use an index. Beyond it, LIST reads as many of the
   * collection's rows as it read entries. Both limits then double until one of the two reads is complete. So the total
   * cost is a small multiple of the cheaper read, although neither size is known in advance.
   */
  readonly mostRelabels: number;
  /** Reads the journal from the answer's resourceVersion up to a head that was read when the request began. */
  journal(): Promise<JournalView>;
}

/**
 * The number of objects in one fetch; fewer if their bodies are large. A page of the collection's rows is 1 MB at
 * most.
 */
const FIRST_FETCH = 100;
const LARGEST_FETCH = 400;
/** The candidates before the first look at the rows between them; each further look waits for four times as many. */
const FIRST_LOOK = FIRST_FETCH;
const LATER_LOOK = 4;
/** The rows of a batch after which the next one is read ahead. */
const READ_AHEAD = 1_000;
const MOST_FETCHED_BYTES = 16 * 1024 * 1024;

export async function sourceOf(options: SourceOptions, request: ListRequest, from: string): Promise<Source> {
  const { reads, collection, slots, head } = options;
  const { name, namespace, selector } = request;
  if (choicesOf(selector).every(isNothing) || from > nameRange(namespace).to) return NOTHING;
  if (name !== undefined && namespace !== undefined) {
    const next = async () => ({
      rows: await rowsOf(options, [nameKey({ namespace, name })]),
      boundary: undefined,
    });
    return { access: 'name', next, nextLabels: async () => labelsIn(await next()) };
  }
  const locate = (keys: readonly string[]) => slots.find(reads.from('slots'), keys, head);
  const plan = await planCandidates({ reads, collection, namespace, selector, from, locate });
  if (plan === 'nothing') return NOTHING;
  if (plan?.stream !== undefined) return new IndexSource(options, request, { ...plan, stream: plan.stream });
  const readsAhead = request.limit === undefined;
  return { ...rowSource(options, request, readsAhead), ...(plan && { candidates: plan }) };
}

const NOTHING: Source = {
  access: 'nothing',
  next: async () => ({ rows: new Map(), boundary: undefined }),
  nextLabels: async () => ({ labels: new Map(), boundary: undefined }),
};

function rowSource(
  { reads, collection }: SourceOptions,
  { namespace }: ListRequest,
  readsAhead: boolean,
): Source {
  const { to } = nameRange(namespace);
  const partition = objectPartition(collection);
  const read = (from: string, limit: number) => reads.from('rows').query({ partition, from, to, limit });
  let ahead: { readonly from: string; readonly page: Promise<QueryPage> } | undefined;
  const next = async (from: string, limit: number): Promise<Batch> => {
    const page = await (ahead?.from === from ? ahead.page : read(from, limit));
    const boundary = page.more ? page.rows.at(-1)?.sk : undefined;
    // A LIST of everything needs the next rows too. They are read while it handles these.
    const readsOn = readsAhead && boundary !== undefined && limit >= READ_AHEAD;
    ahead = readsOn ? { from: nameAfter(boundary), page: read(nameAfter(boundary), limit) } : undefined;
    // If they cannot be read, the LIST fails when it needs them.
    ahead?.page.catch(() => undefined);
    return { rows: new Map(page.rows.map((row) => [row.sk, row])), boundary };
  };
  return { access: 'rows', next, nextLabels: async (from, limit) => labelsIn(await next(from, limit)) };
}

function labelsIn({ rows, boundary }: Batch): LabelBatch {
  const labels = new Map<string, Labels>();
  for (const [name, row] of rows) labels.set(name, JSON.parse(String(row.labels)));
  return { labels, boundary };
}

/**
 * A source that reads an index's candidates, corrected by the relabel window. If an object was relabelled recently,
 * its labels are those of the window. The index may show other labels, or may not show the object at all. The source
 * reads the collection's rows while the window is too large to read, and where most objects match.
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
  #candidates = 0;
  #nextLook = FIRST_LOOK;
  /** Loaded for a LIST that finds many objects. */
  #density: Density | undefined;

  constructor(options: SourceOptions, request: ListRequest, candidates: IndexPlan) {
    this.#options = options;
    this.#request = request;
    this.candidates = candidates;
    this.#budget = options.mostRelabels;
    this.#rows = rowSource(options, request, false);
  }

  get access(): AccessPath {
    return this.#relabelled === undefined ? 'rows' : 'index';
  }

  get relabelled(): number | undefined {
    return this.#relabelled?.relabels.size;
  }

  async next(from: string, count: number): Promise<Batch> {
    this.#relabelled ??= await this.#readWindow(from);
    if (this.#relabelled === undefined) return this.#scan(from, count);
    if (this.#density?.isDense === true) return this.#readDense(this.#density, from, count);
    const { labels, boundary } = await this.#found(this.#relabelled, from, Math.min(count, this.#fetch));
    const names = [...labels.keys()];
    const [rows] = await Promise.all([
      rowsOf(this.#options, names),
      boundary === undefined ? undefined : this.#lookAtRows(from, names.length),
    ]);
    this.#fetch = nextFetch([...rows.values()]);
    return { rows, boundary };
  }

  /** Looks at a few rows of a range that has these candidates, if that is due. */
  async #lookAtRows(from: string, candidates: number): Promise<void> {
    this.#candidates += candidates;
    const endsSoon = (this.#request.limit ?? Number.POSITIVE_INFINITY) < this.#candidates * 2;
    if (endsSoon || this.#candidates < this.#nextLook) return;
    this.#nextLook = this.#candidates * LATER_LOOK;
    const { Density, LOOKED_AT } = await import('./density.ts');
    this.#density ??= new Density(this.#request.selector);
    await this.#readDense(this.#density, from, LOOKED_AT);
  }

  async #readDense(density: Density, from: string, count: number): Promise<Batch> {
    const batch = await this.#rows.next(from, count);
    density.look(batch.rows.values());
    return batch;
  }

  async nextLabels(from: string, count: number): Promise<LabelBatch> {
    this.#relabelled ??= await this.#readWindow(from);
    if (this.#relabelled === undefined) return labelsIn(await this.#scan(from, count));
    return this.#found(this.#relabelled, from, count);
  }

  async #scan(from: string, count: number): Promise<Batch> {
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
    return { relabels, matching: matchingOnes(relabels, this.#request.selector, { from, to }) };
  }

  async #found({ relabels, matching }: Relabelled, from: string, most: number): Promise<LabelBatch> {
    const { selector } = this.#request;
    // Those that were passed while the collection's rows were read.
    while ((matching.at(-1)?.nameKey ?? from) < from) matching.pop();
    const labels = new Map<string, Labels>();
    let boundary: string | undefined;
    for (let position = from; labels.size < most; position = nameAfter(boundary)) {
      const candidate = await this.candidates.stream.seek(position);
      const corrected = matching.at(-1);
      boundary = firstOf(candidate?.nameKey, corrected?.nameKey);
      if (boundary === undefined) break;
      if (boundary === corrected?.nameKey) {
        matching.pop();
        labels.set(boundary, corrected.labels);
      } else if (!relabels.has(boundary) && candidate !== undefined && selector.matches(candidate.labels)) {
        labels.set(boundary, candidate.labels);
      }
    }
    return { labels, boundary };
  }
}

/** The size of the next fetch: as many objects as fit if all are as large as the largest of the last fetch. */
function nextFetch(rows: readonly Row[]): number {
  const bytesOf = ({ body, former }: Row) => lengthOf(body) + lengthOf(former);
  const largest = rows.reduce((most, row) => Math.max(most, bytesOf(row)), 1);
  const fitting = Math.floor(MOST_FETCHED_BYTES / largest);
  return Math.min(Math.max(fitting, FIRST_FETCH), LARGEST_FETCH);
}

const lengthOf = (encoded: Attribute | undefined) =>
  (encoded as string | Uint8Array | undefined)?.length ?? 0;

interface IndexPlan extends CandidatePlan {
  readonly stream: PlannedStream;
}

interface Relabelled {
  readonly relabels: ReadonlyMap<string, Relabel>;
  /** The objects with matching labels that are still to come, the next one last. */
  readonly matching: Candidate[];
}

function matchingOnes(
  relabels: ReadonlyMap<string, Relabel>,
  selector: Selector,
  { from, to }: { from: string; to: string },
): Candidate[] {
  const found: Candidate[] = [];
  for (const [nameKey, { labels }] of relabels) {
    if (labels !== undefined && nameKey >= from && nameKey <= to && selector.matches(labels)) {
      found.push({ nameKey, labels });
    }
  }
  return found.sort((left, right) => (left.nameKey < right.nameKey ? 1 : -1));
}

function firstOf(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}

async function rowsOf({ reads, collection }: SourceOptions, names: readonly string[]) {
  const rows = await reads.from('objects').batchGet(names.map((name) => objectKey(collection, name)));
  return new Map(rows.map((row) => [row.sk, row]));
}
