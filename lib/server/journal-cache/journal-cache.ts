import type { Collection, JsonObject, ObjectName } from '../../json/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { type AccessVersions, eachPage, GoneError, parseNameKey, type Store } from '../../store/index.ts';

/** The new state of one object; `body` is undefined if the object was deleted. */
export interface Step {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly body: JsonObject | undefined;
}

/** What a {@link JournalCache} holds. */
export interface JournalCacheOptions<Known> {
  readonly collections: readonly Collection[];
  /** Whether a collection without a version in the row is certainly empty, so that no LIST is needed. */
  isWhole(collection: Collection): boolean;
  /** Returns the cached value of empty collections. */
  empty(): Known;
  /** Applies changes to the value synchronously, so that no request sees some of them. */
  apply(known: Known, steps: readonly Step[]): void;
}

/** The objects of all collections, with the resourceVersion of each collection. */
interface Held<Known> {
  readonly versions: ReadonlyMap<Collection, number>;
  readonly known: Known;
}

/** The value for a request, and the row that it is current with. */
export interface Current<Known> {
  readonly known: Known;
  readonly row: AccessVersions;
}

/**
 * Caches the objects of the collections that decide access or writes between the requests of one process. A change that
 * was acknowledged before a request began counts for that request:
 *
 * 1. The request reads the row that holds the current resourceVersion of each collection.
 * 2. If the cache is older, the request reads the journals up to these versions and applies all changes in one step.
 * 3. If there is no cache, or the journals are compacted, the request lists all collections.
 *
 * Every request therefore uses all collections as of its start or later, and never a mixture.
 */
export class JournalCache<Known> {
  readonly #options: JournalCacheOptions<Known>;
  /** The cached value, as of one moment. */
  #held: Held<Known> | undefined;

  constructor(options: JournalCacheOptions<Known>) {
    this.#options = options;
  }

  /**
   * The current value. It takes one consistent read if nothing has changed.
   *
   * @param first the row, if the request has read it already: then it takes no read
   */
  async current(store: Store, first?: AccessVersions): Promise<Current<Known>> {
    for (let row = first; ; row = undefined) {
      const wanted = row ?? (await store.accessVersions());
      const reached = await this.#reach(store, wanted);
      if (reached !== undefined) return { known: reached.known, row: wanted };
      const listed = await this.#list(store, wanted);
      if (listed !== undefined) return listed;
    }
  }

  /**
   * The cached value, brought up to the versions in the row; undefined if there is none, or the journals are
   * compacted.
   */
  async #reach(store: Store, wanted: AccessVersions): Promise<Held<Known> | undefined> {
    for (;;) {
      const base = this.#held;
      if (base === undefined || this.#isUpTo(base.versions, wanted)) return base;
      const steps = await this.#followed(store, base, wanted);
      if (steps === undefined) return undefined;
      // Another request may have brought the cache further meanwhile.
      if (this.#held === base) this.#held = this.#extended(base, steps, wanted);
    }
  }

  /**
   * Lists all collections. The LISTs show different moments. So it reads the row again after the last LIST, and applies
   * all changes up to the versions in that row. Undefined if the journals are compacted meanwhile.
   */
  async #list(store: Store, wanted: AccessVersions): Promise<Current<Known> | undefined> {
    const base = this.#held;
    const listed = await this.#listAll(store, wanted);
    const latest = await store.accessVersions();
    const steps = await this.#followed(store, listed, latest);
    if (steps === undefined) return undefined;
    const held = this.#extended(listed, steps, latest);
    if (this.#held === base) this.#held = held;
    return { known: held.known, row: latest };
  }

  /** The changes since a cached value; undefined if the journals are compacted. */
  async #followed(
    store: Store,
    { versions }: Held<Known>,
    wanted: AccessVersions,
  ): Promise<Step[] | undefined> {
    try {
      const all = this.#options.collections.map((one) =>
        changesOf(store, one, versions.get(one) ?? 0, wanted.get(one) ?? 0),
      );
      return (await Promise.all(all)).flat();
    } catch (error) {
      if (error instanceof GoneError) return undefined;
      throw error;
    }
  }

  #extended({ known, versions }: Held<Known>, steps: readonly Step[], wanted: AccessVersions): Held<Known> {
    this.#options.apply(known, steps);
    return { known, versions: this.#later(versions, wanted) };
  }

  #isUpTo(versions: ReadonlyMap<Collection, number>, wanted: AccessVersions): boolean {
    return this.#options.collections.every((one) => (versions.get(one) ?? 0) >= (wanted.get(one) ?? 0));
  }

  #later(versions: ReadonlyMap<Collection, number>, wanted: AccessVersions): Held<Known>['versions'] {
    const { collections } = this.#options;
    return new Map(collections.map((one) => [one, Math.max(versions.get(one) ?? 0, wanted.get(one) ?? 0)]));
  }

  async #listAll(store: Store, wanted: AccessVersions): Promise<Held<Known>> {
    const { collections, isWhole, empty, apply } = this.#options;
    const known = empty();
    const filled = collections.filter((one) => !isWhole(one) || wanted.get(one) !== 0);
    const listed = await Promise.all(
      filled.map(async (collection) => {
        const steps: Step[] = [];
        let at = 0;
        for await (const { rv, items } of eachPage(store, collection, {
          selector: everything,
          mostHeap: MEMORY.page,
        })) {
          at = rv;
          for (const { name, body } of items) steps.push({ collection, name, body });
        }
        return { collection, at, steps };
      }),
    );
    apply(
      known,
      listed.flatMap(({ steps }) => steps),
    );
    return { known, versions: new Map(listed.map(({ collection, at }) => [collection, at])) };
  }
}

async function changesOf(store: Store, collection: Collection, from: number, upTo: number): Promise<Step[]> {
  const steps: Step[] = [];
  for (let rv = from; rv < upTo; ) {
    const stretch = await store.nextChanges(collection, rv, upTo);
    for (const { nameKey, after } of stretch.changes) {
      steps.push({ collection, name: parseNameKey(nameKey), body: after?.body });
    }
    rv = stretch.upTo;
  }
  return steps;
}
