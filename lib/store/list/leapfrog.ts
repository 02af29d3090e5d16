import type { Selector } from '../../selectors/index.ts';
import { nameAfter } from '../keys.ts';
import type { Candidate, CandidateStream } from './candidate-stream.ts';

/** Candidates of which each meets a whole selector. */
export interface PlannedStream extends CandidateStream {
  /** Streams in the order in which they told how far to go. */
  readonly drivers: readonly CandidateStream[];
  /** Skips that paid. */
  readonly skips: number;
}

/** Misses before the other streams are first asked how far to skip; twice as many each time that did not pay. */
const MISSES_BEFORE_SKIP = 50;
/** Misses, all together, before a stream that is dormant is asked, too. */
const MISSES_BEFORE_OPENING = 1_000;
/** Another stream takes over where it shows this many times fewer candidates in the same stretch of names. */
const SPARSER = 1.5;

/**
 * The candidates that meet the whole selector, found by reading one stream, the driver, and skipping along the
 * others. Each stream holds all that is looked for, so any may drive, and where one has nothing there is nothing.
 *
 *   driver   x x x x|. . . . . . . . . .|x x         | its page ends: everything up to the next candidate of
 *   other    . . . .|. . . . . . . . y y|y y           another stream is skipped, read or not
 *
 * A skip that passes all the driver has read paid for itself, and the next miss may skip again. One that did not
 * is tried again only after twice as many misses: so what is read of streams that do not help grows with the
 * logarithm of what is read of the driver.
 */
export class Leapfrog implements PlannedStream {
  readonly state = 'open';
  readonly #streams: readonly CandidateStream[];
  readonly #selector: Selector;
  #driver: CandidateStream;
  #misses = 0;
  #missed = 0;
  #patience = MISSES_BEFORE_SKIP;
  /** Skips that paid. */
  skips = 0;
  /** Streams in the order they drove. */
  readonly drivers: CandidateStream[];

  /** @param open one at least, each with its first page read; `dormant` ones are asked when these are of little help */
  constructor(
    open: readonly [CandidateStream, ...CandidateStream[]],
    selector: Selector,
    dormant: readonly CandidateStream[] = [],
  ) {
    this.#streams = [...open, ...dormant];
    this.#selector = selector;
    const farthest = open.reduce((best, stream) => (stream.reach > best.reach ? stream : best));
    this.#driver = open.find((stream) => stream.ended) ?? farthest;
    this.drivers = [this.#driver];
  }

  get ended(): boolean {
    return this.#driver.ended;
  }

  get reach(): string {
    return this.#driver.reach;
  }

  waiting(name: string): number {
    return this.#driver.waiting(name);
  }

  async seek(from: string): Promise<Candidate | undefined> {
    for (let position = from; ; ) {
      const candidate = await this.#driver.seek(position);
      if (candidate === undefined || this.#selector.matches(candidate.labels)) return candidate;
      position = nameAfter(candidate.nameKey);
      this.#misses += 1;
      this.#missed += 1;
      if (!this.#wantsSkip(candidate)) continue;
      const farther = await this.#skip(position);
      if (farther === undefined) return undefined;
      position = farther;
    }
  }

  /** Never at the end of a page: with the next one read it shows whether a skip pays. */
  #wantsSkip(last: Candidate): boolean {
    return (
      this.#misses >= this.#patience &&
      !this.#driver.ended &&
      this.#driver.reach > last.nameKey &&
      this.#others().length > 0
    );
  }

  #others(): CandidateStream[] {
    return this.#streams.filter(
      (stream) =>
        stream !== this.#driver &&
        (stream.state === 'open' || (stream.state === 'dormant' && this.#missed >= MISSES_BEFORE_OPENING)),
    );
  }

  /** The farthest first name among the other streams: nothing before it can match. Undefined when one is over. */
  async #skip(position: string): Promise<string | undefined> {
    const asked = this.#others();
    const next = await Promise.all(asked.map((stream) => stream.seek(position)));
    const others = asked.filter((stream) => stream.state === 'open');
    const names = next.flatMap((candidate) => candidate?.nameKey ?? []);
    if (names.length < others.length) return undefined;
    const farthest = names.reduce((far, name) => (name > far ? name : far), position);
    const pays = farthest > this.#driver.reach;
    if (pays) this.skips += 1;
    this.#patience = pays ? 0 : Math.max(MISSES_BEFORE_SKIP, this.#patience * 2);
    this.#misses = 0;
    this.#choose(others);
    return farthest;
  }

  #choose(others: readonly CandidateStream[]): void {
    const better = others.find((stream) => stream.ended || isSparser(stream, this.#driver));
    if (better === undefined) return;
    this.#driver = better;
    if (!this.drivers.includes(better)) this.drivers.push(better);
  }
}

/** Whether `left` has clearly fewer candidates than `right` in the stretch that both have read. */
function isSparser(left: CandidateStream, right: CandidateStream): boolean {
  const end = left.reach < right.reach ? left.reach : right.reach;
  return left.waiting(end) * SPARSER < right.waiting(end);
}
