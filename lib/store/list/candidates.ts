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
  /** Where the answer begins: the first name key to consider. */
  readonly from: string;
  /** Where label keys are indexed; a key that has no place is in no object of the answer. */
  locate(keys: readonly string[]): Promise<LabelPlaces>;
}

/** Where the names of a LIST come from. */
export interface CandidatePlan {
  /** A superset of the matches, but for what the indexes lag behind. Undefined where no index is worth reading. */
  readonly stream: PlannedStream | undefined;
  /** The requirement that each of the streams stands for. */
  readonly requirements: ReadonlyMap<CandidateStream, Requirement>;
}

/** Rows in the first page of a requirement, and in those of all requirements together. */
const FIRST_PAGE = 25;
const FIRST_PAGES = 100;
/** At the values of a requirement that stands beside one on few values. */
const LOOKS_BESIDE = 4;
/** Selectors of which one has to match, each with streams of its own. With more of them the rows are read. */
const MOST_CHOICES = 16;
/** Positive requirements that are read; any of them holds a superset of the answer. */
const MOST_STREAMS = 8;

/**
 * A stream for each positive requirement, one at least with a page read. Undefined when there is none; `nothing` where
 * no object can match.
 */
export async function planCandidates(options: PlanOptions): Promise<Plan> {
  const choices = choicesOf(options.selector);
  if (choices.length > MOST_CHOICES) return undefined;
  const plans = await Promise.all(choices.map((selector) => planChoice({ ...options, selector })));
  const [only] = plans;
  return plans.length === 1 ? only : united(plans);
}

type Plan = CandidatePlan | 'nothing' | undefined;

/** Where one of the selectors has no index worth reading, that is so for all of them. */
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

/** Only `nothing` has no requirements and yet is not empty. */
export function isNothing({ requirements, isEmpty }: Selector): boolean {
  return requirements.length === 0 && !isEmpty;
}

/** Reads a page of each requirement on one value or a few; of the others as little as possible, and only if it helps. */
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
