import type { Labels, Requirement, Selector } from '../selectors/index.ts';
import { byLabelKeyPartition, byLabelPartition, nameAfter, nameRange } from './keys.ts';
import type { Collection } from './object.ts';
import type { Row, Table } from './table.ts';

/** An object that a label index shows, with all of its labels as the index knows them. */
export interface Candidate {
  readonly nameKey: string;
  readonly labels: Labels;
}

/** Candidates in the order of their names. Positions only ever move forward. */
export interface CandidateStream {
  /** The first candidate at or behind `from`, or undefined when there is none. */
  seek(from: string): Promise<Candidate | undefined>;
  /** Whether the index has nothing left to read behind what was read. */
  readonly ended: boolean;
  /** The last name read so far: how far one page of this stream reaches. */
  readonly reach: string;
}

const FIRST_PAGE = 25;
const LARGEST_PAGE = 400;
/** After this many candidates in a row that do not match, ask the other streams how far to skip. */
const MISSES_BEFORE_SKIP = 25;
/** A stream that was asked this often and never skipped past a page is not worth its reads. */
const USELESS_SKIPS = 3;
/** Positive requirements that are read; any of them holds a superset of the answer. */
const MOST_STREAMS = 8;
/** An `in` of more values than this is read as `exists`. */
const MOST_PARTITIONS = 16;

/**
 * The objects that the label indexes show for a selector: a superset of its matches but for what the indexes
 * lag behind. Undefined when no requirement is positive, so that no index can answer.
 */
export async function planCandidates(options: PlanOptions): Promise<CandidateStream | undefined> {
  const streams = options.selector.requirements
    .flatMap((requirement) => streamOf(options, requirement) ?? [])
    .slice(0, MOST_STREAMS);
  if (streams.length === 0) return undefined;
  await Promise.all(streams.map((stream) => stream.seek(options.from)));
  // A stream that ended holds the whole answer. Else the one whose first page reaches farthest is the sparsest.
  const farthest = streams.reduce((best, stream) => (stream.reach > best.reach ? stream : best));
  const driver = streams.find((stream) => stream.ended) ?? farthest;
  if (driver.ended) return driver;
  return new SkippingStream(
    driver,
    streams.filter((stream) => stream !== driver),
    options.selector,
  );
}

export interface PlanOptions {
  readonly table: Table;
  readonly collection: Collection;
  readonly namespace: string | undefined;
  readonly selector: Selector;
  /** Where the answer begins: the first name key to consider. */
  readonly from: string;
}

function streamOf(options: PlanOptions, requirement: Requirement): CandidateStream | undefined {
  const { collection } = options;
  const withKey = () =>
    new IndexStream(options, 'by-label-key', byLabelKeyPartition(collection, requirement.key));
  switch (requirement.operator) {
    case '=':
    case '==':
    case 'in': {
      if (requirement.values.length > MOST_PARTITIONS) return withKey();
      const values = requirement.values.map(
        (value) => new IndexStream(options, 'by-label', byLabelPartition(collection, requirement.key, value)),
      );
      return values.length === 1 ? values[0] : new UnionStream(values);
    }
    case 'exists':
    case 'gt':
    case 'lt':
      return withKey();
    case '!=':
    case 'notin':
    case '!':
      return undefined;
    default:
      return requirement.operator satisfies never;
  }
}

/** One partition of a label index, read in pages that double. */
class IndexStream implements CandidateStream {
  readonly #options: PlanOptions;
  readonly #index: 'by-label' | 'by-label-key';
  readonly #partition: string;
  readonly #to: string;
  #page: readonly Candidate[] = [];
  #position = 0;
  #size = FIRST_PAGE;
  #more = true;

  constructor(options: PlanOptions, index: 'by-label' | 'by-label-key', partition: string) {
    this.#options = options;
    this.#index = index;
    this.#partition = partition;
    this.#to = nameRange(options.namespace).to;
  }

  get ended(): boolean {
    return !this.#more;
  }

  get reach(): string {
    return this.#page.at(-1)?.nameKey ?? '';
  }

  async seek(from: string): Promise<Candidate | undefined> {
    for (;;) {
      for (; this.#position < this.#page.length; this.#position += 1) {
        const candidate = this.#page[this.#position];
        if (candidate !== undefined && candidate.nameKey >= from) return candidate;
      }
      if (!this.#more) return undefined;
      await this.#read(from);
    }
  }

  async #read(from: string): Promise<void> {
    const page = await this.#options.table.query({
      index: this.#index,
      partition: this.#partition,
      from,
      to: this.#to,
      limit: this.#size,
    });
    this.#size = Math.min(this.#size * 2, LARGEST_PAGE);
    this.#page = page.rows.map(parseLabelEntry);
    this.#position = 0;
    this.#more = page.more && page.rows.length > 0;
  }
}

function parseLabelEntry(row: Row): Candidate {
  return { nameKey: String(row.name), labels: JSON.parse(String(row.labels)) };
}

/** Several partitions as one stream: the values of `in`. */
class UnionStream implements CandidateStream {
  readonly #streams: readonly CandidateStream[];

  constructor(streams: readonly CandidateStream[]) {
    this.#streams = streams;
  }

  get ended(): boolean {
    return this.#streams.every((stream) => stream.ended);
  }

  /** The least of the partitions not ended: up to there the union is known. */
  get reach(): string {
    const open = this.#streams.filter((stream) => !stream.ended).map((stream) => stream.reach);
    return open.sort().at(0) ?? '~';
  }

  async seek(from: string): Promise<Candidate | undefined> {
    const candidates = await Promise.all(this.#streams.map((stream) => stream.seek(from)));
    return candidates.reduce(
      (first, next) =>
        first === undefined || (next !== undefined && next.nameKey < first.nameKey) ? next : first,
      undefined,
    );
  }
}

/** The sparsest stream, skipping along the others (a leapfrog) where its own candidates keep failing. */
class SkippingStream implements CandidateStream {
  readonly #driver: CandidateStream;
  readonly #selector: Selector;
  #others: readonly CandidateStream[];
  #uselessSkips = 0;
  #misses = 0;

  constructor(driver: CandidateStream, others: readonly CandidateStream[], selector: Selector) {
    this.#driver = driver;
    this.#others = others;
    this.#selector = selector;
  }

  get ended(): boolean {
    return this.#driver.ended;
  }

  get reach(): string {
    return this.#driver.reach;
  }

  async seek(from: string): Promise<Candidate | undefined> {
    for (let position = from; ; ) {
      const candidate = await this.#driver.seek(position);
      if (candidate === undefined) return undefined;
      if (this.#selector.matches(candidate.labels)) {
        this.#misses = 0;
        return candidate;
      }
      position = nameAfter(candidate.nameKey);
      this.#misses += 1;
      if (this.#misses % MISSES_BEFORE_SKIP > 0 || this.#others.length === 0) continue;
      const farther = await this.#skip(position);
      if (farther === undefined) return undefined;
      position = farther;
    }
  }

  /** The farthest first name among the other streams: nothing before it can match. Undefined when one is over. */
  async #skip(position: string): Promise<string | undefined> {
    const next = await Promise.all(this.#others.map((stream) => stream.seek(position)));
    if (next.some((candidate) => candidate === undefined)) return undefined;
    const farthest = next.reduce(
      (far, candidate) => (candidate && candidate.nameKey > far ? candidate.nameKey : far),
      position,
    );
    if (farthest <= this.#driver.reach) this.#uselessSkips += 1;
    if (this.#uselessSkips >= USELESS_SKIPS) this.#others = [];
    return farthest;
  }
}
