import { type JsonObject, objectAt } from '../../json/index.ts';
import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { type Clock, MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import {
  eachPage,
  FIRST_VERSION,
  type ObjectState,
  type Snapshot,
  SnapshotCache,
  type Store,
  toObject,
} from '../../store/index.ts';

/** The custom types of all definitions at one resourceVersion. */
export interface KnownTypes {
  readonly types: readonly ResourceType[];
  find(group: string, version: string, resource: string): ResourceType | undefined;
}

/** What a process keeps of a definition. */
interface Defined extends Pick<ObjectState, 'uid' | 'rv'> {
  readonly types: readonly ResourceType[];
  /** The part of the definition that has its names. */
  readonly naming: JsonObject;
}

/** The names of all definitions at one resourceVersion. */
export interface Namings {
  readonly rv: number;
  /** Of each definition its name, its group, and its status. */
  readonly namings: readonly JsonObject[];
}

interface Look {
  readonly snapshot: Snapshot<Defined>;
  readonly known: KnownTypes;
  /** The start of the last head read that confirmed these types, in ms since the epoch. */
  readonly at: number;
}

type Schemas = Pick<
  typeof import('../../kubernetes/schemas/index.ts'),
  'inDiscoveryOrder' | 'resourceTypesOf'
>;

/**
 * The cache of the custom kinds of a process. One consistent read of the definitions' head decides whether the cache
 * is current. So a kind exists for every request that begins after the definition was acknowledged. If definitions have
 * changed, the process reads the changes, and not the other definitions. A type stays the same object as long as its
 * definition does not change.
 */
export class CustomTypes {
  readonly #clock: Clock;
  readonly #cache: SnapshotCache<Defined>;
  /** Loaded with the first definition. */
  #schemas: Schemas | undefined;
  #last: Look | undefined;
  /** What concurrent readers have made of definitions: two type objects would count as two types. */
  readonly #made = new Map<string, Defined>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#cache = new SnapshotCache({ keep: (state) => this.#keep(state), listsFirst: true });
  }

  /** Returns the current types. `store` is the caller's. */
  async current(store: Store): Promise<KnownTypes> {
    return (await this.#look(store)).known;
  }

  /** Returns the types as they were at most `age` ms ago. */
  async recent(store: Store, age: number): Promise<KnownTypes> {
    const last = this.#last;
    return last !== undefined && this.#clock.now() - last.at <= age ? last.known : this.current(store);
  }

  /** Returns the names of all current definitions. */
  async namings(store: Store): Promise<Namings> {
    const { rv, objects } = (await this.#look(store)).snapshot;
    return { rv, namings: [...objects.values()].map(({ naming }) => naming) };
  }

  async #look(store: Store): Promise<Look> {
    const at = this.#clock.now();
    const head = await store.head(DEFINITIONS);
    if (head !== FIRST_VERSION) this.#schemas ??= await import('../../kubernetes/schemas/index.ts');
    const snapshot = await this.#cache.upTo(head, {
      changes: (after, upTo) => store.nextChanges(DEFINITIONS, after, upTo),
      list: () => eachPage(store, DEFINITIONS, { selector: everything, mostHeap: MEMORY.page }),
    });
    const known = this.#last?.snapshot === snapshot ? this.#last.known : this.#knownOf(snapshot);
    const look = { snapshot, known, at };
    // A look that began later may have ended before.
    if (this.#last === undefined || this.#last.at <= at) this.#last = look;
    return look;
  }

  #knownOf({ rv, objects }: Snapshot<Defined>): KnownTypes {
    const current = new Set(objects.values());
    // A concurrent reader may have made what is newer.
    for (const [key, defined] of this.#made) {
      if (defined.rv <= rv && !current.has(defined)) this.#made.delete(key);
    }
    const all = [...objects.values()].flatMap(({ types }) => types);
    const types = this.#schemas?.inDiscoveryOrder(all) ?? all;
    const byPath = new Map(types.map((type) => [`${type.group}/${type.version}/${type.resource}`, type]));
    return { types, find: (group, version, resource) => byPath.get(`${group}/${version}/${resource}`) };
  }

  #keep(state: ObjectState): Defined {
    const { uid, rv } = state;
    const made = this.#made.get(keyOf({ uid, rv }));
    if (made !== undefined) return made;
    const types = this.#schemas?.resourceTypesOf(toObject(state)) ?? [];
    const { spec, status } = state.body;
    const { acceptedNames } = objectAt(status);
    const naming = {
      metadata: { name: state.name.name },
      spec: { group: objectAt(spec).group ?? '' },
      ...(acceptedNames !== undefined && { status: { acceptedNames } }),
    };
    const defined = { uid, rv, types, naming };
    this.#made.set(keyOf(defined), defined);
    return defined;
  }
}

const keyOf = ({ uid, rv }: Pick<ObjectState, 'uid' | 'rv'>) => `${uid}/${rv}`;
