import type { JsonObject } from '../../../json/index.ts';
import { MEMORY } from '../../../platform/index.ts';
import type { JournalChange } from '../../../store/index.ts';

/** The share of a transport's limit that the items of a page may fill. The rest is for what is around them. */
const SHARE = 0.9;

/** The bounds of one page: its number of items, the heap of their states, and the length of its text. */
export class PageBounds {
  readonly #most: number;
  readonly #longest: number | undefined;
  #count = 0;
  #heap = 0;
  #length = 0;

  /** @param longest the limit of the transport in bytes, if there is one */
  constructor(most: number, longest: number | undefined) {
    this.#most = most;
    this.#longest = longest === undefined ? undefined : longest * SHARE;
  }

  /** The number of items that still fit. */
  get left(): number {
    return this.#most - this.#count;
  }

  get isFull(): boolean {
    return this.left <= 0 || this.#heap > MEMORY.stretch;
  }

  /** Counts an item. False if its text does not fit; the first item of a page always does. */
  add({ heap }: JournalChange, item: JsonObject): boolean {
    if (this.#longest !== undefined) {
      // A buffered answer is a JSON string literal.
      const length = Buffer.byteLength(JSON.stringify(JSON.stringify(item)));
      if (this.#count > 0 && this.#length + length > this.#longest) return false;
      this.#length += length;
    }
    this.#count += 1;
    this.#heap += heap;
    return true;
  }
}

/** The limit of a request, at most `most`. */
export const limitOf = (asked: number, most: number) => (asked > 0 ? Math.min(asked, most) : most);
