import type { Requirement, Selector } from '../../selectors/index.ts';
import { byLabelKeyPartition, byLabelPartition } from '../keys.ts';
import type { ListReads } from '../list-reads.ts';
import type { Collection } from '../object.ts';
import type { CandidateStream } from './candidate-stream.ts';
import { IndexStream, type IndexStreamOptions, type PageSizes } from './index-stream.ts';
import { Leapfrog } from './leapfrog.ts';
import { UnionStream } from './union-stream.ts';

export interface PlanOptions {
  readonly reads: ListReads;
  readonly collection: Collection;
  readonly namespace: string | undefined;
  readonly selector: Selector;
  /** Where the answer begins: the first name key to consider. */
  readonly from: string;
}

/** Where the names of a LIST come from, when an index can tell. */
export interface CandidatePlan {
  /** A superset of the matches, but for what the indexes lag behind. */
  readonly stream: Leapfrog;
  /** The requirement that each of the streams within stands for. */
  readonly requirements: ReadonlyMap<CandidateStream, Requirement>;
}

/** Rows in the first page of a requirement, and in those of all requirements together. */
const FIRST_PAGE = 25;
const FIRST_PAGES = 100;
/** Positive requirements that are read; any of them holds a superset of the answer. */
const MOST_STREAMS = 8;
/** An `in` of more values than this is read as `exists`. */
const MOST_PARTITIONS = 16;

/** A stream for each positive requirement, each with one small page read. Undefined when there is none. */
export async function planCandidates(options: PlanOptions): Promise<CandidatePlan | undefined> {
  const positive = options.selector.requirements.filter(isPositive).slice(0, MOST_STREAMS);
  const pages = pageSizes(positive.length);
  const requirements = new Map(positive.map((one) => [streamOf(options, one, pages), one]));
  const [first, ...rest] = requirements.keys();
  if (first === undefined) return undefined;
  await Promise.all([first, ...rest].map((stream) => stream.seek(options.from)));
  return { stream: new Leapfrog([first, ...rest], options.selector), requirements };
}

/** What one look at all streams but the driver costs stays about the same, however many they are. */
function pageSizes(streams: number): PageSizes {
  const first = Math.min(FIRST_PAGE, Math.floor(FIRST_PAGES / streams));
  return { first, jumped: Math.ceil(first / Math.max(1, streams - 1)) };
}

/** Whether an index shows what meets the requirement. */
function isPositive({ operator }: Requirement): boolean {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
    case 'exists':
    case 'gt':
    case 'lt':
      return true;
    case '!=':
    case 'notin':
    case '!':
      return false;
    default:
      return operator satisfies never;
  }
}

function streamOf(options: PlanOptions, requirement: Requirement, pages: PageSizes): CandidateStream {
  const { collection, namespace, reads } = options;
  const { key, values } = requirement;
  const index = indexOf(requirement);
  const common = { index, namespace, table: reads.from('requirement', { requirement, index }) };
  if (index === 'by-label-key') {
    return new IndexStream({ ...common, pages, partition: byLabelKeyPartition(collection, key) });
  }
  const parts = dividePages(pages, values.length);
  const streams = values.map((value) => {
    const partition = byLabelPartition(collection, key, value);
    return new IndexStream({ ...common, pages: parts, partition });
  });
  return streams.length === 1 && streams[0] !== undefined ? streams[0] : new UnionStream(streams);
}

function indexOf({ operator, values }: Requirement): IndexStreamOptions['index'] {
  const exact = operator === '=' || operator === '==' || operator === 'in';
  return exact && values.length <= MOST_PARTITIONS ? 'by-label' : 'by-label-key';
}

function dividePages({ first, jumped }: PageSizes, by: number): PageSizes {
  return { first: Math.ceil(first / by), jumped: Math.ceil(jumped / by) };
}
