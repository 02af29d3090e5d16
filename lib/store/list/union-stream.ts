import type { Candidate, CandidateStream } from './candidate-stream.ts';

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
