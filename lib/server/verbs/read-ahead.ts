import type { Collection } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { isObjectName } from '../../kubernetes/resource-types/index.ts';
import type { Known, Snapshots } from '../../store/index.ts';
import { asServer, type Call, collectionOfCall, objectNameOf } from '../http/index.ts';

/** The longest name of a namespace, which is a DNS label. */
const LONGEST_NAMESPACE = 63;

/**
 * The object and the namespace of a create, read in one request with the objects that admission needs. The recorded
 * time of each read is before that request. Only the first attempt of the write uses these states.
 */
export class ReadAhead {
  readonly #call: Call;
  readonly #name: string;
  #known: { readonly object: Known; readonly namespace: Known } | undefined;

  /** @param name the name that was sent; '' if the object gets one later */
  constructor(call: Call, name: string) {
    this.#call = call;
    this.#name = name;
  }

  /** Reads all objects of small collections; also the object and its namespace, if their names are usable. */
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

  /** Returns the states once. A later attempt gets none and reads anew. */
  take(): { readonly object?: Known; readonly namespace?: Known } {
    const known = this.#known;
    this.#known = undefined;
    return known ?? {};
  }
}
