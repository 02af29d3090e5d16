import type { Collection, ObjectName } from '../../json/index.ts';
import { everything, type Selector } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';

/** The size of one page in memory, in bytes. */
const PAGE = 16 * 1024 * 1024;

interface PageRequest {
  readonly namespace?: string;
  readonly selector: Selector;
}

/**
 * The reads for one work key, and the resourceVersions they saw. It uses LISTs, because a row may be older than a
 * change that the journal has delivered.
 */
export class Reading {
  readonly seen = new Map<Collection, number>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async one(collection: Collection, { namespace, name }: ObjectName): Promise<ObjectState | undefined> {
    const asked = { name, selector: everything, ...(namespace !== '' && { namespace }) };
    const { rv, items } = await this.#store.list(collection, asked);
    this.#saw(collection, rv);
    return items[0];
  }

  /** Returns the results of `read` for all objects of a request. It keeps no object in memory. */
  async all<Kept>(
    collection: Collection,
    asked: PageRequest,
    read: (object: ObjectState) => Kept,
  ): Promise<readonly Kept[]> {
    const kept: Kept[] = [];
    for await (const { rv, items } of eachPage(this.#store, collection, { ...asked, mostHeap: PAGE })) {
      this.#saw(collection, rv);
      for (const item of items) kept.push(read(item));
    }
    return kept;
  }

  /** Of two reads, the older resourceVersion counts. */
  #saw(collection: Collection, rv: number): void {
    this.seen.set(collection, Math.min(rv, this.seen.get(collection) ?? rv));
  }
}
