import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import { FIRST_VERSION, type ObjectState, type Store, toObject } from '../../store/index.ts';
import { readDefinitions } from './read-definitions.ts';

/** The custom types of all definitions at one resourceVersion. */
export interface KnownTypes {
  readonly types: readonly ResourceType[];
  find(group: string, version: string, resource: string): ResourceType | undefined;
}

/** The types of one definition, and the state of the definition from which they were made. */
interface Made extends Pick<ObjectState, 'uid' | 'rv'> {
  readonly types: readonly ResourceType[];
}

interface Look {
  /** The resourceVersion of the definitions. */
  readonly rv: number;
  readonly made: ReadonlyMap<string, Made>;
  readonly known: KnownTypes;
  /** The start of the last head read that confirmed these types, in ms since the epoch. */
  readonly at: number;
}

/**
 * The cache of the custom kinds of a process. One consistent read of the definitions' head decides whether the cache
 * is current. So a kind exists for every request that begins after the definition was acknowledged. A type stays the
 * same object as long as its definition does not change.
 */
export class CustomTypes {
  readonly #clock: Clock;
  #last: Look | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the current types. `store` is the caller's. */
  async current(store: Store): Promise<KnownTypes> {
    const at = this.#clock.now();
    const head = await store.head(DEFINITIONS);
    const last = this.#last;
    const look = last !== undefined && last.rv === head ? { ...last, at } : await this.#read(store, head, at);
    this.#last = look;
    return look.known;
  }

  /** Returns the types as they were at most `age` ms ago. */
  async recent(store: Store, age: number): Promise<KnownTypes> {
    const last = this.#last;
    return last !== undefined && this.#clock.now() - last.at <= age ? last.known : this.current(store);
  }

  async #read(store: Store, head: number, at: number): Promise<Look> {
    if (head === FIRST_VERSION) return { rv: head, made: new Map(), known: knownTypes([]), at };
    const { inDiscoveryOrder, resourceTypesOf } = await import('../../kubernetes/schemas/index.ts');
    const { rv, states } = await readDefinitions(store);
    // Concurrent readers must share these objects, because two type objects count as two types.
    const before = this.#last?.made;
    const made = new Map<string, Made>();
    for (const state of states) {
      const { name } = state.name;
      const same = before?.get(name);
      const isSame = same?.uid === state.uid && same.rv === state.rv;
      const types = isSame ? same.types : resourceTypesOf(toObject(state));
      made.set(name, { uid: state.uid, rv: state.rv, types });
    }
    const all = [...made.values()].flatMap(({ types }) => types);
    return { rv, made, known: knownTypes(inDiscoveryOrder(all)), at };
  }
}

function knownTypes(types: readonly ResourceType[]): KnownTypes {
  const byPath = new Map(types.map((type) => [`${type.group}/${type.version}/${type.resource}`, type]));
  return {
    types,
    find: (group, version, resource) => byPath.get(`${group}/${version}/${resource}`),
  };
}
