import type { Collection, ObjectName } from '../../json/index.ts';
import { everything, type Selector } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';

/** Objects' sizes in memory of one page. */
const PAGE = 16 * 1024 * 1024;

interface Asked {
  readonly namespace?: string;
  readonly selector: Selector;
}

/** What is read for one subject, and from which versions: LISTs, for a row may be older than a change that was told. */
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

  /** Of each object no more than `read` keeps. */
  async all<Kept>(
    collection: Collection,
    asked: Asked,
    read: (object: ObjectState) => Kept,
  ): Promise<readonly Kept[]> {
    const kept: Kept[] = [];
    for await (const { rv, items } of eachPage(this.#store, collection, { ...asked, mostHeap: PAGE })) {
      this.#saw(collection, rv);
      for (const item of items) kept.push(read(item));
    }
    return kept;
  }

  /** Of two reads the older one counts. */
  #saw(collection: Collection, rv: number): void {
    this.seen.set(collection, Math.min(rv, this.seen.get(collection) ?? rv));
  }
}
