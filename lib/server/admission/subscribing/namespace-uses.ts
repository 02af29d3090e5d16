import { selectorsSize } from '../../../delivery/index.ts';
import { type Collection, objectAt } from '../../../json/index.ts';
import { MEMORY } from '../../../platform/index.ts';
import { everything } from '../../../selectors/index.ts';
import { eachPage, GoneError, type ObjectState, type Store } from '../../../store/index.ts';

/** The most namespaces that a process remembers. */
const MOST_NAMESPACES = 100;
/** Beyond so many changes after the remembered ones, the objects are listed again. */
const MOST_CHANGES = 100;

/** The Subscriptions or the Tallies of one namespace. */
export interface NamespaceUse {
  /** The bytes of each one's selectors, by name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Later changes of the collection that may be of this namespace. */
  readonly unseen: number;
}

interface Place {
  readonly collection: Collection;
  readonly namespace: string;
}

interface Known {
  rv: number;
  readonly sizes: Map<string, number>;
}

/**
 * The Subscriptions and Tallies of the namespaces in which this process writes, cached at one resourceVersion each. So
 * a create reads only the changes since the previous one, not all of its namespace.
 */
export class NamespaceUses {
  readonly #known = new Map<string, Known>();

  /**
   * The use of a namespace, read by {@link listed} or from the changes since the last call. The changes of writes that
   * are under way, and those after them, count as unseen.
   */
  async of(store: Store, place: Place): Promise<NamespaceUse> {
    const known = this.#known.get(keyOf(place));
    if (known === undefined) return this.listed(store, place);
    const { rv } = known;
    const head = await store.head(place.collection);
    if (head < rv || head - rv > MOST_CHANGES) return this.listed(store, place);
    try {
      await follow(store, known, { ...place, head });
    } catch (error) {
      if (!(error instanceof GoneError)) throw error;
      return this.listed(store, place);
    }
    this.#remember(place, known);
    return { sizes: known.sizes, unseen: Math.max(0, head - known.rv) };
  }

  /** The same from a LIST, which waits for the writes that are under way. */
  async listed(store: Store, place: Place): Promise<NamespaceUse> {
    const known = await list(store, place);
    this.#remember(place, known);
    return { sizes: known.sizes, unseen: 0 };
  }

  #remember(place: Place, known: Known): void {
    const key = keyOf(place);
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_NAMESPACES) break;
      this.#known.delete(oldest);
    }
  }
}

/** Applies the decided changes up to `head`. A concurrent request may apply them too. */
async function follow(
  store: Store,
  known: Known,
  { collection, namespace, head }: Place & { readonly head: number },
): Promise<void> {
  while (known.rv < head) {
    const from = known.rv;
    const { upTo, changes } = await store.decidedChanges(collection, from, head);
    if (upTo === from) return;
    if (known.rv !== from) continue;
    for (const { name, after } of changes) {
      if (name.namespace !== namespace) continue;
      if (after === undefined) {
        known.sizes.delete(name.name);
      } else {
        known.sizes.set(name.name, sizeOf(after));
      }
    }
    known.rv = upTo;
  }
}

async function list(store: Store, { collection, namespace }: Place): Promise<Known> {
  const known: Known = { rv: 0, sizes: new Map() };
  const all = { namespace, selector: everything, mostHeap: MEMORY.page };
  for await (const { rv, items } of eachPage(store, collection, all)) {
    known.rv = rv;
    for (const item of items) known.sizes.set(item.name.name, sizeOf(item));
  }
  return known;
}

const keyOf = ({ collection, namespace }: Place) => `${collection}/${namespace}`;

const sizeOf = ({ body }: ObjectState) => selectorsSize(objectAt(body.spec));
