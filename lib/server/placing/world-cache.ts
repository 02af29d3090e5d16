import type { Collection, ObjectName } from '../../json/index.ts';
import { type Profile, World, type WorldKinds } from '../../placement/index.ts';
import { type Logger, MEMORY, Mutex, mapBounded } from '../../platform/index.ts';
import { everything, SelectorError } from '../../selectors/index.ts';
import {
  eachPage,
  GoneError,
  type JournalChange,
  type ListRequest,
  type ObjectState,
  type Store,
} from '../../store/index.ts';

/** The kinds of objects in a world, by collection. */
const KINDS: ReadonlyMap<Collection, keyof WorldKinds> = new Map<Collection, keyof WorldKinds>([
  ['core/nodes', 'Node'],
  ['core/pods', 'Pod'],
  ['core/namespaces', 'Namespace'],
  ['core/services', 'Service'],
  ['core/replicationcontrollers', 'ReplicationController'],
  ['apps/replicasets', 'ReplicaSet'],
  ['apps/statefulsets', 'StatefulSet'],
]);

/** The most changes of a collection that are applied one by one. With more, all objects are listed again. */
const MOST_CHANGES = 2_000;

/** An existing object, or a change of an object, for a world and its listener. */
export interface WorldChange {
  readonly kind: keyof WorldKinds;
  readonly name: ObjectName;
  /** Absent if it is unknown, or if the object did not exist. */
  readonly before?: ObjectState | undefined;
  readonly after?: ObjectState | undefined;
}

/** A listener of a world. It is created with the world, and receives each change after the world has applied it. */
export interface WorldListener {
  tell(change: WorldChange): void;
}

/** An object in a stored world. Its body holds at least what a world reads. */
export type StoredObject = Pick<WorldChange, 'kind' | 'name' | 'after'>;

/** The objects of a stored world, and the resourceVersion that each collection had reached. */
export interface WorldSnapshot {
  readonly upTo: ReadonlyMap<Collection, number>;
  readonly objects: Iterable<StoredObject>;
}

/** A source that returns a world in fewer requests than there are pages of objects. */
export interface WorldSource {
  /** Undefined if there is none. */
  read(): Promise<WorldSnapshot | undefined>;
}

/** A world, and the resourceVersion of each collection up to which it has applied changes. */
export interface CachedWorld<Kept> {
  readonly world: World;
  readonly beside: Kept;
  readonly upTo: ReadonlyMap<Collection, number>;
}

interface Telling<Kept> extends CachedWorld<Kept> {
  readonly upTo: Map<Collection, number>;
}

export interface KeptWorldOptions<Kept> {
  readonly logger: Pick<Logger, 'warn'>;
  /** The scheduler profile of the deployment. */
  readonly profile?: Profile | undefined;
  readonly makeBeside: () => Kept;
}

/** A world that is being listed for the first time, and where each unfinished list continues. */
interface Reading<Kept> extends Telling<Kept> {
  readonly rest: Map<Collection, Pick<ListRequest, 'at' | 'after'>>;
}

/**
 * The cluster that pods are placed in, cached between requests. The first request reads all of it, or the stored world
 * and the journals after it. Later requests read the changes. After a process was frozen, its cache may be old, but is
 * never wrong.
 */
export class WorldCache<Kept extends WorldListener = WorldListener> {
  readonly #options: KeptWorldOptions<Kept>;
  readonly #mutex = new Mutex();
  #told: Telling<Kept> | undefined;
  #reading: Reading<Kept> | undefined;

  constructor(options: KeptWorldOptions<Kept>) {
    this.#options = options;
  }

  /**
   * Returns the world with every write that was acknowledged before this call. A caller may add objects that are not
   * stored, but must remove them before its next `await`.
   *
   * @throws {OutOfTimeError} reading took longer than the request's deadline
   */
  current(store: Store, source?: WorldSource): Promise<CachedWorld<Kept>> {
    return this.#mutex.run(async () => {
      const ways = [() => this.#told, () => this.#stored(source), () => this.#listed(store)];
      for (const way of ways) {
        const told = await way();
        if (told === undefined) continue;
        // Stored at once. If the deadline comes before the changes are applied, the next request continues from here.
        this.#told = told;
        if (await this.#isFollowed(told, store)) return told;
      }
      this.#told = await this.#listed(store);
      return this.#told;
    });
  }

  /** Applies the changes up to the heads. False if there are too many, or if the journal no longer holds them. */
  async #isFollowed(told: Telling<Kept>, store: Store): Promise<boolean> {
    const heads = await Promise.all(
      [...KINDS.keys()].map(async (one) => [one, await store.head(one)] as const),
    );
    const behind = heads.map(([one, head]) => head - (told.upTo.get(one) ?? 0));
    // A head that is lower than the applied version belongs to another table.
    if (behind.some((changes) => changes < 0 || changes > MOST_CHANGES)) return false;
    try {
      await together(heads, ([collection, head]) => this.#follow(told, store, { collection, head }));
      return true;
    } catch (error) {
      if (error instanceof GoneError) return false;
      throw error;
    }
  }

  async #follow(
    told: Telling<Kept>,
    store: Store,
    { collection, head }: { readonly collection: Collection; readonly head: number },
  ): Promise<void> {
    for (let rv = told.upTo.get(collection) ?? 0; rv < head; ) {
      const stretch = await store.nextChanges(collection, rv, head);
      for (const change of stretch.changes) this.#tell(told, collection, change);
      rv = stretch.upTo;
      told.upTo.set(collection, rv);
    }
  }

  #empty(): Pick<CachedWorld<Kept>, 'world' | 'beside'> {
    const { profile, makeBeside } = this.#options;
    return { world: new World(profile), beside: makeBeside() };
  }

  async #stored(source: WorldSource | undefined): Promise<Telling<Kept> | undefined> {
    const stored = await source?.read();
    if (stored === undefined) return undefined;
    const told = { ...this.#empty(), upTo: new Map(stored.upTo) };
    for (const object of stored.objects) this.#tellOf(told, object);
    return told;
  }

  /** Lists all objects. If the deadline comes first, the next request continues the lists. */
  async #listed(store: Store): Promise<Telling<Kept>> {
    const rest = new Map([...KINDS.keys()].map((collection) => [collection, {}]));
    this.#reading ??= { ...this.#empty(), upTo: new Map(), rest };
    const reading = this.#reading;
    try {
      await together([...reading.rest.keys()], (collection) => this.#list(reading, store, collection));
    } catch (error) {
      if (!(error instanceof GoneError)) throw error;
      this.#reading = undefined;
      return this.#listed(store);
    }
    this.#reading = undefined;
    return reading;
  }

  async #list(reading: Reading<Kept>, store: Store, collection: Collection): Promise<void> {
    const { upTo, rest } = reading;
    const request = { selector: everything, mostHeap: MEMORY.page, ...rest.get(collection) };
    for await (const { rv, items, next } of eachPage(store, collection, request)) {
      for (const after of items) this.#tell(reading, collection, { name: after.name, after });
      if (next === undefined) {
        upTo.set(collection, rv);
        rest.delete(collection);
      } else {
        rest.set(collection, { at: rv, after: next });
      }
    }
  }

  #tell(
    told: CachedWorld<Kept>,
    collection: Collection,
    change: JournalChange | Pick<WorldChange, 'name' | 'after'>,
  ): void {
    const kind = KINDS.get(collection);
    if (kind === undefined) throw new Error(`${collection} does not belong to a world`);
    this.#tellOf(told, changeOf(kind, change));
  }

  #tellOf({ world, beside }: CachedWorld<Kept>, change: WorldChange): void {
    this.#put(world, change.kind, change);
    beside.tell(change);
  }

  /** Puts an object, or removes it by its name. */
  #put(world: World, kind: keyof WorldKinds, { name, after }: Pick<WorldChange, 'name' | 'after'>): void {
    try {
      if (after !== undefined) {
        world.set(kind, after.body as WorldKinds[typeof kind]);
        return;
      }
    } catch (error) {
      // The object was written before selectors were validated. It is ignored, and does not block placement.
      if (!(error instanceof SelectorError)) throw error;
      this.#options.logger.warn('an object with an invalid selector is ignored', { kind, ...name });
    }
    world.delete(kind, name);
  }
}

/** Creates the change for a world. The previous state is decoded only when it is read. */
function changeOf(
  kind: keyof WorldKinds,
  told: JournalChange | Pick<WorldChange, 'name' | 'after'>,
): WorldChange {
  const { name, after } = told;
  return {
    kind,
    name,
    after,
    get before() {
      return 'before' in told ? told.before : undefined;
    },
  };
}

/**
 * Waits for all runs, also if one fails. Otherwise a run could still change an old world after other requests have
 * moved on.
 */
async function together<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  await mapBounded(items, KINDS.size, run);
}
