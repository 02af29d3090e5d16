import type { Source } from './live-set.ts';
import { ObjectList, type PageAnswer } from './object-list.ts';
import type { RequestOptions, WatchOptions } from './options.ts';
import { acceptOf, type Shape } from './shape.ts';
import type { Stored } from './stored-object.ts';
import type { Transport } from './transport.ts';
import { streamGroups, type WatchEvent } from './watch.ts';

const PAGE = 500;
const SILENCE = 90_000;

interface Selecting {
  /** The path of the collection. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly shape?: Shape | undefined;
  /** The namespace of the objects; absent for all. */
  readonly namespace?: string | undefined;
  /** The number of objects in one answer. */
  readonly pageSize?: number | undefined;
  /** Throws for a page with other objects than those that the program expects. */
  readonly expect?: ((page: PageAnswer) => void) | undefined;
}

/** The objects of a collection that a selector selects, in one shape: the requests that list and watch them. */
export class SelectedSet<Body> implements Source<Body> {
  readonly namespace: string | undefined;
  readonly #transport: Transport;
  readonly #selecting: Selecting;

  constructor(transport: Transport, selecting: Selecting) {
    this.namespace = selecting.namespace;
    this.#transport = transport;
    this.#selecting = selecting;
  }

  list(signal?: AbortSignal): ObjectList<Body> {
    const { path, query, shape = 'object', pageSize = PAGE, expect } = this.#selecting;
    const asked = { ...query, limit: String(pageSize) };
    const request = { method: 'GET', path, accept: acceptOf(shape, 'list'), signal } as const;
    return new ObjectList<Body>(async (token) => {
      const query = { ...asked, continue: token };
      const page = await this.#transport.send<PageAnswer>({ ...request, query });
      expect?.(page);
      return page;
    });
  }

  watch(options: WatchOptions<never>): AsyncGenerator<readonly WatchEvent<Body>[]> {
    const { path, query, shape = 'object' } = this.#selecting;
    const { resourceVersion, timeoutSeconds, silence = SILENCE } = options;
    const asked = {
      ...query,
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion,
      timeoutSeconds: timeoutSeconds?.toString(),
    };
    const request = { method: 'GET', path, query: asked, accept: acceptOf(shape, 'watch') } as const;
    return streamGroups(this.#transport, request, { ...options, silence });
  }

  /** The request is not repeated: an answer about a resourceVersion that the server does not have yet would be. */
  async firstAt(resourceVersion: string, { signal }: RequestOptions): Promise<Stored | undefined> {
    const { path, query } = this.#selecting;
    const asked = { ...query, limit: '1', resourceVersion, resourceVersionMatch: 'Exact' };
    const accept = acceptOf('metadata', 'list');
    const request = { method: 'GET', path, query: asked, accept, isRepeatable: false, signal } as const;
    const { items } = await this.#transport.send<{ readonly items: readonly Stored[] | null }>(request);
    return items?.[0];
  }
}
