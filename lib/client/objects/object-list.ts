import { ExpiredError } from './errors.ts';
import { type Column, columnsOf, rowsOf } from './shape.ts';
import type { Stored } from './stored-object.ts';

/** One answer of a LIST. All pages of a list show the same state. */
export interface Page<Body> {
  readonly items: readonly Stored<Body>[];
  /** The state that the list shows. A watch from here misses nothing. */
  readonly resourceVersion: string;
  /** The columns of the cells; none unless the shape is `table`. */
  readonly columns: readonly Column[];
}

/** The JSON of one page. */
export interface PageAnswer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  /** Missing in a Table. */
  readonly items?: readonly Stored[] | null;
}

/** Fetches the page at a continue token; the first one at ''. */
type Fetch = (token: string) => Promise<PageAnswer>;

/** A list of objects, fetched page by page while a program iterates over it. Each iteration lists anew. */
export class ObjectList<Body> implements AsyncIterable<Stored<Body>> {
  readonly #fetch: Fetch;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /**
   * Yields the objects of all pages, sorted by namespace and name.
   *
   * @throws {ExpiredError} the iteration took so long that the server no longer has the state of the first page
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Stored<Body>> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Yields the pages. */
  async *pages(): AsyncGenerator<Page<Body>> {
    for (let token = ''; ; ) {
      const answer = await this.#fetch(token);
      const { apiVersion, kind, metadata, items } = answer;
      // The items of built-in kinds have no type of their own.
      const type = { apiVersion, kind: kind.replace(/List$/, '') };
      const objects = rowsOf(answer) ?? (items ?? []).map((item) => Object.assign({}, type, item));
      yield {
        items: objects as Stored<Body>[],
        resourceVersion: metadata.resourceVersion,
        columns: columnsOf(answer) ?? [],
      };
      token = metadata.continue ?? '';
      if (token === '') return;
    }
  }

  /** Resolves to all objects with their resourceVersion. If the list expires between two pages, it begins anew, once. */
  async all(): Promise<Page<Body>> {
    try {
      return await this.#all();
    } catch (error) {
      if (!(error instanceof ExpiredError)) throw error;
      return this.#all();
    }
  }

  /** Resolves to all objects. */
  async toArray(): Promise<Stored<Body>[]> {
    return [...(await this.all()).items];
  }

  async #all(): Promise<Page<Body>> {
    const items: Stored<Body>[] = [];
    let last: Page<Body> = { items, resourceVersion: '', columns: [] };
    for await (const page of this.pages()) {
      for (const item of page.items) items.push(item);
      last = page;
    }
    return { ...last, items };
  }
}
