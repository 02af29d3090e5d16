import type { Candidate, CandidateStream } from './candidate-stream.ts';
import { IndexStream, type IndexStreamOptions, type PageSizes } from './index-stream.ts';

/** The maximum number of values that are read in parallel, each in the order of names. */
export const MOST_UNITED = 16;

/** The union of several streams, for example one for each value. */
export class UnionStream implements CandidateStream {
  readonly state = 'open';
  readonly #streams: readonly CandidateStream[];

  constructor(streams: readonly CandidateStream[]) {
    this.#streams = streams;
  }

  get ended(): boolean {
    return this.#streams.every((stream) => stream.ended);
  }

  /** The shortest reach of the streams that have not ended: the union is complete up to this name. */
  get reach(): string {
    const open = this.#streams.filter((stream) => !stream.ended);
    const known = open.length === 0 ? this.#streams : open;
    const reaches = known.map((stream) => stream.reach).sort();
    return (open.length === 0 ? reaches.at(-1) : reaches[0]) ?? '';
  }

  waiting(name: string): number {
    return this.#streams.reduce((sum, stream) => sum + stream.waiting(name), 0);
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

/** A stream, in the order of names, of all objects that carry one of the values. */
export function unionOf(options: Omit<IndexStreamOptions, 'value'>, values: readonly string[]) {
  const pages = dividePages(options.pages, values.length);
  const streams = values.map((value) => new IndexStream({ ...options, value, pages }));
  return streams.length === 1 && streams[0] !== undefined ? streams[0] : new UnionStream(streams);
}

function dividePages({ first, jumped }: PageSizes, by: number): PageSizes {
  return { first: Math.ceil(first / by), jumped: Math.ceil(jumped / by) };
}
