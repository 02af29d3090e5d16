import { nameAfter, nameRange, valueKey } from '../keys.ts';
import type { LabelEntries } from '../labels/index.ts';
import type { Table } from '../table.ts';
import type { Candidate, CandidateStream } from './candidate-stream.ts';

export interface IndexStreamOptions {
  readonly table: Table;
  readonly entries: LabelEntries;
  readonly value: string;
  readonly namespace: string | undefined;
  readonly pages: PageSizes;
}

/** The number of rows of a page. */
export interface PageSizes {
  readonly first: number;
  /** The size after a skip over names that were not read. A page that directly follows another is twice its size. */
  readonly jumped: number;
}

const LARGEST_PAGE = 400;

/** The objects that carry one value of a label key: a range of the key's entries. */
export class IndexStream implements CandidateStream {
  readonly state = 'open';
  readonly #options: IndexStreamOptions;
  #page: readonly Candidate[] = [];
  #position = 0;
  #size = 0;
  #more = true;

  constructor(options: IndexStreamOptions) {
    this.#options = options;
  }

  get ended(): boolean {
    return !this.#more;
  }

  get reach(): string {
    return this.#page.at(-1)?.nameKey ?? '';
  }

  waiting(name: string): number {
    let count = 0;
    for (let at = this.#position; (this.#page[at]?.nameKey ?? '~') <= name; at += 1) count += 1;
    return count;
  }

  async seek(from: string): Promise<Candidate | undefined> {
    for (;;) {
      for (; this.#position < this.#page.length; this.#position += 1) {
        const candidate = this.#page[this.#position];
        if (candidate !== undefined && candidate.nameKey >= from) return candidate;
      }
      if (!this.#more) return undefined;
      await this.#read(from);
    }
  }

  async #read(from: string): Promise<void> {
    const { table, entries, value, namespace } = this.#options;
    this.#size = this.#nextSize(from);
    const page = await entries.read(table, {
      from: valueKey(value, from),
      to: valueKey(value, nameRange(namespace).to),
      limit: this.#size,
    });
    this.#page = page.entries;
    this.#position = 0;
    this.#more = page.more;
  }

  #nextSize(from: string): number {
    const { first, jumped } = this.#options.pages;
    if (this.#size === 0) return first;
    return from > nameAfter(this.reach) ? jumped : Math.min(this.#size * 2, LARGEST_PAGE);
  }
}
