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

/** What a world is made of, by the collections that hold it. */
const KINDS: ReadonlyMap<Collection, keyof WorldKinds> = new Map<Collection, keyof WorldKinds>([
  ['core/nodes', 'Node'],
  ['core/pods', 'Pod'],
  ['core/namespaces', 'Namespace'],
  ['core/services', 'Service'],
  ['core/replicationcontrollers', 'ReplicationController'],
  ['apps/replicasets', 'ReplicaSet'],
  ['apps/statefulsets', 'StatefulSet'],
]);

/** Changes that are followed one by one; beyond, everything is listed anew. */
const MOST_CHANGES = 2_000;

/** What a world is told, and what is kept beside it: an object that there is, or a change of one. */
export interface WorldChange {
  readonly kind: keyof WorldKinds;
  readonly name: ObjectName;
  /** Absent where it is not known, or was not there. */
  readonly before?: ObjectState | undefined;
  readonly after?: ObjectState | undefined;
}

/** What is kept beside a world: it is made with it, and told all that the world is told, when that knows it. */
export interface WorldListener {
  tell(change: WorldChange): void;
}

/** An object as it was kept for a world: nothing else need be in its body than what a world is told. */
export type StoredObject = Pick<WorldChange, 'kind' | 'name' | 'after'>;

/** What a world was made of, and up to which resourceVersion of each collection. */
export interface WorldSnapshot {
  readonly upTo: ReadonlyMap<Collection, number>;
  readonly objects: Iterable<StoredObject>;
}

/** Where a world may be had in fewer requests than there are pages of objects. */
export interface WorldSource {
  /** Undefined where there is none. */
  read(): Promise<WorldSnapshot | undefined>;
}

/** A world, and up to which resourceVersion of each collection it was told. */
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
  /** What the deployment set of the scheduler's. */
  readonly profile?: Profile | undefined;
  readonly makeBeside: () => Kept;
}

/** A world that is read for the first time, and where each list that is not over goes on. */
interface Reading<Kept> extends Telling<Kept> {
  readonly rest: Map<Collection, Pick<ListRequest, 'at' | 'after'>>;
}

/**
 * The cluster that pods are placed in, cached between requests. The first request reads all of it, or the stored
 * world and the journals from there. Later requests read the changes. A process that was frozen is never wrong, only
 * behind.
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
   * The world with all that was acknowledged before it was asked. A caller that changes it to something that is not
   * stored reverts it before it awaits anything.
   * @throws {OutOfTimeError} reading it took longer than the request may
   */
  current(store: Store, source?: WorldSource): Promise<CachedWorld<Kept>> {
    return this.#mutex.run(async () => {
      const ways = [() => this.#told, () => this.#stored(source), () => this.#listed(store)];
      for (const way of ways) {
        const told = await way();
        if (told === undefined) continue;
        // At once: where the time is over before it is followed, the next request goes on with it.
        this.#told = told;
        if (await this.#isFollowed(told, store)) return told;
      }
      this.#told = await this.#listed(store);
      return this.#told;
    });
  }

  /** Whether it is up to date now: not where too much has changed, or is not told any more. */
  async #isFollowed(told: Telling<Kept>, store: Store): Promise<boolean> {
    const heads = await Promise.all(
      [...KINDS.keys()].map(async (one) => [one, await store.head(one)] as const),
    );
    const behind = heads.map(([one, head]) => head - (told.upTo.get(one) ?? 0));
    // A head that is lower than what was read is another table's.
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

  /** A request whose time is over before everything was read leaves the rest to the next one. */
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
    if (kind === undefined) throw new Error(`${collection} is no part of a world`);
    this.#tellOf(told, changeOf(kind, change));
  }

  #tellOf({ world, beside }: CachedWorld<Kept>, change: WorldChange): void {
    this.#put(world, change.kind, change);
    beside.tell(change);
  }

  /** That there is an object, or by its name that it is no more. */
  #put(world: World, kind: keyof WorldKinds, { name, after }: Pick<WorldChange, 'name' | 'after'>): void {
    try {
      if (after !== undefined) {
        world.set(kind, after.body as WorldKinds[typeof kind]);
        return;
      }
    } catch (error) {
      // From before selectors were validated. It counts for nothing, and keeps nobody from being placed.
      if (!(error instanceof SelectorError)) throw error;
      this.#options.logger.warn('an object with an invalid selector is ignored', { kind, ...name });
    }
    world.delete(kind, name);
  }
}

/** What it was before is decoded where somebody asks. */
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

/** Has ended when all have, also where one fails: nobody tells a world of the past when others have gone on. */
async function together<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  await mapBounded(items, KINDS.size, run);
}
