import type { Collection } from '../../json/index.ts';
import { choicesOf, type Requirement, type Selector } from '../../selectors/index.ts';
import { LabelEntries, type LabelPlace, type LabelPlaces } from '../labels/index.ts';
import type { ListReads } from '../list-reads.ts';
import type { CandidateStream } from './candidate-stream.ts';
import type { PageSizes } from './index-stream.ts';
import { Leapfrog, type PlannedStream } from './leapfrog.ts';
import { UnitedStream } from './united-stream.ts';
import { MOST_UNITED, unionOf, ValuesStream } from './values-stream.ts';

export interface PlanOptions {
  readonly reads: ListReads;
  readonly collection: Collection;
  readonly namespace: string | undefined;
  readonly selector: Selector;
  /** The first name key to consider. */
  readonly from: string;
  /** Finds where label keys are indexed. If a key has no place, no object of the answer has the key. */
  locate(keys: readonly string[]): Promise<LabelPlaces>;
}

/** The label index streams that supply the names of a LIST. */
export interface CandidatePlan {
  /**
   * A superset of the matches, except for changes that the indexes do not show yet. Undefined if no index is worth
   * reading.
   */
  readonly stream: PlannedStream | undefined;
  /** The requirement that each stream reads. */
  readonly requirements: ReadonlyMap<CandidateStream, Requirement>;
}

/** The number of rows in the first page of one requirement, and in the first pages of all requirements together. */
const FIRST_PAGE = 25;
const FIRST_PAGES = 100;
/** The number of reads of the values of a requirement, if another requirement has few values. */
const LOOKS_BESIDE = 4;
/** The maximum number of alternative selectors, each with its own streams. With more of them, LIST reads the rows. */
const MOST_CHOICES = 16;
/** The maximum number of positive requirements to read; each of them holds a superset of the answer. */
const MOST_STREAMS = 8;

/**
 * Plans a stream for each positive requirement. At least one has read a page. Undefined if there is no positive
 * requirement; `nothing` if no object can match.
 */
export async function planCandidates(options: PlanOptions): Promise<Plan> {
  const choices = choicesOf(options.selector);
  if (choices.length > MOST_CHOICES) return undefined;
  const plans = await Promise.all(choices.map((selector) => planChoice({ ...options, selector })));
  const [only] = plans;
  return plans.length === 1 ? only : united(plans);
}

type Plan = CandidatePlan | 'nothing' | undefined;

/**
 * Joins the plans of alternative selectors. If one of them has no index worth reading, the joined plan has none either.
 */
function united(plans: readonly Plan[]): Plan {
  const streams: PlannedStream[] = [];
  const requirements = new Map<CandidateStream, Requirement>();
  for (const plan of plans) {
    if (plan === undefined) return undefined;
    if (plan === 'nothing') continue;
    for (const [stream, requirement] of plan.requirements) requirements.set(stream, requirement);
    if (plan.stream === undefined) return { stream: undefined, requirements };
    streams.push(plan.stream);
  }
  return streams.length === 0 ? 'nothing' : { stream: new UnitedStream(streams), requirements };
}

async function planChoice(options: PlanOptions): Promise<Plan> {
  if (isNothing(options.selector)) return 'nothing';
  const positive = options.selector.requirements.filter(isPositive).slice(0, MOST_STREAMS);
  if (positive.length === 0) return undefined;
  const places = await options.locate([...new Set(positive.map(({ key }) => key))]);
  const located: [Requirement, LabelPlace][] = [];
  for (const requirement of positive) {
    const place = places.get(requirement.key);
    if (place === undefined) return 'nothing';
    located.push([requirement, place]);
  }
  const pages = pageSizes(positive.length);
  const requirements = new Map<CandidateStream, Requirement>();
  for (const [requirement, place] of located) {
    const entries = new LabelEntries(options.collection, requirement.key, place);
    requirements.set(streamOf(options, { requirement, entries, pages }), requirement);
  }
  const streams = [...requirements.keys()];
  await openSome(streams, options.from);
  const [first, ...rest] = streams.filter(({ state }) => state === 'open');
  const dormant = streams.filter(({ state }) => state === 'dormant');
  const stream = first && new Leapfrog([first, ...rest], options.selector, dormant);
  return { stream, requirements };
}

/** Whether the selector matches nothing: only that selector has no requirements and is not empty. */
export function isNothing({ requirements, isEmpty }: Selector): boolean {
  return requirements.length === 0 && !isEmpty;
}

/**
 * Reads a page of each requirement on one value or a few. Of other requirements it reads as little as possible, and
 * only if that helps.
 */
async function openSome(streams: readonly CandidateStream[], from: string): Promise<void> {
  const [exact, many]: [CandidateStream[], ValuesStream[]] = [[], []];
  for (const stream of streams) {
    if (stream instanceof ValuesStream) {
      many.push(stream);
    } else {
      exact.push(stream);
    }
  }
  await Promise.all(exact.map((stream) => stream.seek(from)));
  if (exact.some(({ ended }) => ended)) return;
  await Promise.all(many.map((stream) => stream.look(exact.length > 0 ? LOOKS_BESIDE : undefined)));
  for (const stream of many) {
    if (streams.some(({ state }) => state === 'open')) break;
    await stream.sort(from);
  }
  await Promise.all(many.map((stream) => (stream.state === 'open' ? stream.seek(from) : undefined)));
}

/**
 * The page sizes that keep the cost of one read of all streams except the driver about constant, however many there
 * are.
 */
function pageSizes(streams: number): PageSizes {
  const first = Math.min(FIRST_PAGE, Math.floor(FIRST_PAGES / streams));
  return { first, jumped: Math.ceil(first / Math.max(1, streams - 1)) };
}

/** Whether an index shows the objects that meet the requirement. */
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

interface StreamParts {
  readonly requirement: Requirement;
  readonly entries: LabelEntries;
  readonly pages: PageSizes;
}

function streamOf(options: PlanOptions, { requirement, entries, pages }: StreamParts): CandidateStream {
  const { namespace, reads } = options;
  const table = reads.from('requirement', { requirement, index: entries.index.name });
  const common = { table, entries, namespace, pages };
  return hasFewValues(requirement)
    ? unionOf(common, requirement.values)
    : new ValuesStream({ ...common, requirement });
}

function hasFewValues({ operator, values }: Requirement): boolean {
  const exact = operator === '=' || operator === '==' || operator === 'in';
  return exact && values.length <= MOST_UNITED;
}
