import type { JsonObject } from '../../json/index.ts';
import { type ObjectState, type Store, toObject } from '../../store/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { readNamespace } from '../objects/index.ts';

/** The namespace of a write, read when it is first needed. */
export class LazyNamespace {
  readonly #store: Store;
  readonly #name: string;
  #state: ObjectState | undefined;

  constructor(store: Store, name: string, known: ObjectState | undefined) {
    this.#store = store;
    this.#name = name;
    this.#state = known;
  }

  get known(): ObjectState | undefined {
    return this.#state;
  }

  async state(): Promise<ObjectState | undefined> {
    this.#state ??= await readNamespace(this.#store, this.#name);
    return this.#state;
  }

  /** The Namespace as an object; undefined for cluster-scoped objects and for Namespaces. */
  async object({ namespace }: ResourceRoute): Promise<JsonObject | undefined> {
    const state = namespace === '' ? undefined : await this.state();
    return state && toObject(state);
  }
}
