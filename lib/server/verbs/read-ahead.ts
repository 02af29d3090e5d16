import type { Collection } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { isObjectName } from '../../kubernetes/resource-types/index.ts';
import type { Known, Snapshots } from '../../store/index.ts';
import { asServer, type Call, collectionOfCall, objectNameOf } from '../http/index.ts';

/** A namespace's name is a DNS label: nothing is in one that is longer. */
const LONGEST_NAMESPACE = 63;

/**
 * What a create reads of its object and of its namespace in one request with those who have a say in it. It is known
 * from before all of them were read, and good for one attempt.
 */
export class ReadAhead {
  readonly #call: Call;
  readonly #name: string;
  #known: { readonly object: Known; readonly namespace: Known } | undefined;

  /** With the name that was sent; '': the object is given one later. */
  constructor(call: Call, name: string) {
    this.#call = call;
    this.#name = name;
  }

  /** Reads all objects of small collections, and ahead what it can. */
  async snapshot(collections: readonly Collection[]): Promise<Snapshots> {
    const { route } = this.#call;
    const { store } = asServer(this.#call.options);
    const { type, namespace } = route;
    const isPlace = namespace !== '' && namespace.length <= LONGEST_NAMESPACE;
    const isKnown = type.scope !== 'Cluster' && isPlace && isObjectName(this.#name);
    if (!isKnown) return store.snapshot(collections);
    const target = { collection: collectionOfCall(this.#call), name: objectNameOf(this.#call, this.#name) };
    const its = { collection: NAMESPACES, name: { namespace: '', name: namespace } };
    const { objects, snapshots } = await store.prefetch({ objects: [its, target], collections });
    const [space, object] = objects;
    if (space !== undefined && object !== undefined) this.#known = { object, namespace: space };
    return snapshots;
  }

  /** Once: a later attempt reads anew. */
  take(): { readonly object?: Known; readonly namespace?: Known } {
    const known = this.#known;
    this.#known = undefined;
    return known ?? {};
  }
}
