import type { Candidate, CandidateStream } from './candidate-stream.ts';

/** A stream of candidates that were all read in advance. It sorts them by name. */
export class SortedStream implements CandidateStream {
  readonly state = 'open';
  readonly ended = true;
  readonly #candidates: readonly Candidate[];
  #position = 0;

  constructor(candidates: readonly Candidate[]) {
    this.#candidates = candidates.toSorted((left, right) => (left.nameKey < right.nameKey ? -1 : 1));
  }

  get reach(): string {
    return this.#candidates.at(-1)?.nameKey ?? '';
  }

  waiting(name: string): number {
    let end = this.#position;
    while ((this.#candidates[end]?.nameKey ?? '~') <= name) end += 1;
    return end - this.#position;
  }

  async seek(from: string): Promise<Candidate | undefined> {
    while ((this.#candidates[this.#position]?.nameKey ?? '~') < from) this.#position += 1;
    return this.#candidates[this.#position];
  }
}
