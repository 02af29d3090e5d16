import type { Selector } from '../../selectors/index.ts';
import { nameAfter } from '../keys.ts';
import type { Candidate, CandidateStream, PlannedStream } from './candidate-stream.ts';

/**
 * The number of misses before the other streams are first used to skip. It doubles after each skip that did not pay.
 */
const MISSES_BEFORE_SKIP = 50;
/** The total number of misses before dormant streams are used too. */
const MISSES_BEFORE_OPENING = 1_000;
/** Another stream becomes the driver if it has this many times fewer candidates in the same range of names. */
const SPARSER = 1.5;

/**
 * The candidates that meet the whole selector. Leapfrog reads one stream, the driver, and skips along the others.
 * Each stream holds all matches, so any of them may drive. If one stream has no more candidates, there are no more
 * matches.
 *
 *   driver   x x x x|. . . . . . . . . .|x x         | its page ends: everything up to the next candidate of
 *   other    . . . .|. . . . . . . . y y|y y           another stream is skipped, read or not
 *
 * A skip pays if it passes everything that the driver has read. The next miss may then skip again. After a skip that
 * did not pay, the next one waits for twice as many misses. So the reads of streams that do not help grow with the
 * logarithm of the reads of the driver.
 */
export class Leapfrog implements PlannedStream {
  readonly state = 'open';
  readonly #streams: readonly CandidateStream[];
  readonly #selector: Selector;
  #driver: CandidateStream;
  #misses = 0;
  #missed = 0;
  #patience = MISSES_BEFORE_SKIP;
  /** The number of skips that saved reads. */
  skips = 0;
  /** The streams that were the driver, in this order. */
  readonly drivers: CandidateStream[];

  /**
   * @param open at least one stream, each with its first page read
   * @param dormant streams that are used if the open ones help little
   */
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

  /**
   * Whether to skip now. It is never time to skip at the end of a page, because the next page shows whether a skip
   * pays.
   */
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

  /**
   * Returns the greatest of the other streams' next names: nothing before it can match. Undefined if one of these
   * streams has ended.
   */
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

/** Whether `left` has clearly fewer candidates than `right` in the range that both have read. */
function isSparser(left: CandidateStream, right: CandidateStream): boolean {
  const end = left.reach < right.reach ? left.reach : right.reach;
  return left.waiting(end) * SPARSER < right.waiting(end);
}
