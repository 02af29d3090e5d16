import { ExpiredError } from './errors.ts';
import type { Stored } from './stored-object.ts';

/** One answer of a LIST. All pages of a list show the same state. */
export interface Page<Body> {
  readonly items: readonly Stored<Body>[];
  /** The state that the list shows. A watch from here misses nothing. */
  readonly resourceVersion: string;
}

/** The JSON of one page. */
export interface PageAnswer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Stored[] | null;
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
      const { apiVersion, kind, metadata, items } = await this.#fetch(token);
      // The items of built-in kinds have no type of their own.
      const type = { apiVersion, kind: kind.replace(/List$/, '') };
      const typed = (items ?? []).map((item) => Object.assign({}, type, item) as Stored<Body>);
      yield { items: typed, resourceVersion: metadata.resourceVersion };
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
    let resourceVersion = '';
    for await (const page of this.pages()) {
      for (const item of page.items) items.push(item);
      resourceVersion = page.resourceVersion;
    }
    return { items, resourceVersion };
  }
}
