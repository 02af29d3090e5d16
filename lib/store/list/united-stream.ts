import type { Requirement } from '../../selectors/index.ts';
import type { Candidate, CandidateStream, Plan, PlannedStream } from './candidate-stream.ts';
import { UnionStream } from './union-stream.ts';

/** The last result of a stream. The stream need not be read again before the caller has passed this candidate. */
interface Head {
  readonly candidate: Candidate | undefined;
}

/** The candidates of several alternative selectors, each once. */
export class UnitedStream implements PlannedStream {
  readonly state = 'open';
  readonly #streams: readonly PlannedStream[];
  readonly #union: UnionStream;
  readonly #heads: (Head | undefined)[] = [];

  constructor(streams: readonly PlannedStream[]) {
    this.#streams = streams;
    this.#union = new UnionStream(streams);
  }

  get ended(): boolean {
    return this.#union.ended;
  }

  get reach(): string {
    return this.#union.reach;
  }

  get drivers(): readonly CandidateStream[] {
    return this.#streams.flatMap(({ drivers }) => drivers);
  }

  get skips(): number {
    return this.#streams.reduce((sum, { skips }) => sum + skips, 0);
  }

  waiting(name: string): number {
    return this.#union.waiting(name);
  }

  async seek(from: string): Promise<Candidate | undefined> {
    const found = await Promise.all(this.#streams.map((stream, index) => this.#seekIn(stream, index, from)));
    return found.reduce(
      (first, next) =>
        first === undefined || (next !== undefined && next.nameKey < first.nameKey) ? next : first,
      undefined,
    );
  }

  /**
   * Returns the stream's next candidate. A stream that has ended, or is already ahead, is not read: positions only
   * move forward.
   */
  async #seekIn(stream: PlannedStream, index: number, from: string): Promise<Candidate | undefined> {
    const head = this.#heads[index];
    const isKnown = head !== undefined && (head.candidate === undefined || head.candidate.nameKey >= from);
    if (isKnown) return head.candidate;
    const candidate = await stream.seek(from);
    this.#heads[index] = { candidate };
    return candidate;
  }
}

/**
 * Joins the plans of alternative selectors. If one of them has no index worth reading, the joined plan has none either.
 */
export function united(plans: readonly Plan[]): Plan {
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
