import { nameAfter, nameRange } from '../keys.ts';
import type { QueryRequest, Row, Table } from '../table.ts';
import type { Candidate, CandidateStream } from './candidate-stream.ts';

export interface IndexStreamOptions {
  readonly table: Table;
  readonly index: NonNullable<QueryRequest['index']>;
  readonly partition: string;
  readonly namespace: string | undefined;
  readonly pages: PageSizes;
}

/** Rows of a page. */
export interface PageSizes {
  readonly first: number;
  /** After a jump over names that were not read. A page that follows another is twice its size. */
  readonly jumped: number;
}

const LARGEST_PAGE = 400;

/** One partition of a label index. */
export class IndexStream implements CandidateStream {
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
    const { table, index, partition, namespace } = this.#options;
    this.#size = this.#nextSize(from);
    const { to } = nameRange(namespace);
    const page = await table.query({ index, partition, from, to, limit: this.#size });
    this.#page = page.rows.map(parseLabelEntry);
    this.#position = 0;
    this.#more = page.more && page.rows.length > 0;
  }

  #nextSize(from: string): number {
    const { first, jumped } = this.#options.pages;
    if (this.#size === 0) return first;
    return from > nameAfter(this.reach) ? jumped : Math.min(this.#size * 2, LARGEST_PAGE);
  }
}

function parseLabelEntry(row: Row): Candidate {
  return { nameKey: String(row.name), labels: JSON.parse(String(row.labels)) };
}
