import type { Collection } from '../../json/index.ts';
import { choicesOf, type Requirement, type Selector } from '../../selectors/index.ts';
import { LabelEntries, type LabelPlace, type LabelPlaces } from '../labels/index.ts';
import type { ListReads } from '../list-reads.ts';
import type { CandidateStream, Plan } from './candidate-stream.ts';
import type { PageSizes } from './index-stream.ts';
import { Leapfrog } from './leapfrog.ts';
import { MOST_UNITED, unionOf } from './union-stream.ts';
import type { ValuesStream } from './values-stream.ts';

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

/** The number of rows in the first page of one requirement, and in the first pages of all requirements together. */
const FIRST_PAGE = 25;
const FIRST_PAGES = 100;
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
  if (plans.length === 1) return only;
  const { united } = await import('./united-stream.ts');
  return united(plans);
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
  const exact: CandidateStream[] = [];
  const many: ValuesStream[] = [];
  // A selector of labels with a few values each loads nothing more.
  const room = positive.every(hasFewValues) ? undefined : await import('./values-stream.ts');
  for (const [requirement, place] of located) {
    const parts = partsOf(options, { requirement, place, pages });
    if (room === undefined || hasFewValues(requirement)) {
      const stream = unionOf(parts, requirement.values);
      exact.push(stream);
      requirements.set(stream, requirement);
    } else {
      const stream = new room.ValuesStream({ ...parts, requirement });
      many.push(stream);
      requirements.set(stream, requirement);
    }
  }
  await Promise.all(exact.map((stream) => stream.seek(options.from)));
  if (!exact.some(({ ended }) => ended)) await room?.openSome(many, exact, options.from);
  const streams = [...requirements.keys()];
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

interface Located {
  readonly requirement: Requirement;
  readonly place: LabelPlace;
  readonly pages: PageSizes;
}

function partsOf({ collection, namespace, reads }: PlanOptions, { requirement, place, pages }: Located) {
  const entries = new LabelEntries(collection, requirement.key, place);
  const table = reads.from('requirement', { requirement, index: entries.index.name });
  return { table, entries, namespace, pages };
}

function hasFewValues({ operator, values }: Requirement): boolean {
  const exact = operator === '=' || operator === '==' || operator === 'in';
  return exact && values.length <= MOST_UNITED;
}
