import {
  type Collection,
  collectionOf,
  type JsonObject,
  metadataOf,
  type ObjectName,
  objectAt,
} from '../../json/index.ts';
import type { Scope } from '../../kubernetes/rbac/index.ts';
import { collectionOfType, type ResourceType, resourceTypes } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';

export const EVENTS = collectionOf('', 'events');
/** The number of objects that one request reads. */
const AT_ONCE = 50;

export interface VisibilityOptions {
  customTypes(): Promise<readonly ResourceType[]>;
}

/** An object that an Event is about. */
interface About {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly uid: string;
}

/** Keeps the objects within a scope: those whose labels match, and those Events whose object is within the scope. */
export class RowFilter {
  readonly #options: VisibilityOptions;

  constructor(options: VisibilityOptions) {
    this.#options = options;
  }

  /** @param store the store without scopes */
  async among<State extends Pick<ObjectState, 'labels' | 'body'>>(
    store: Store,
    { collection, scope }: { readonly collection: Collection; readonly scope: Scope | undefined },
    states: readonly State[],
  ): Promise<State[]> {
    if (scope === undefined) return [...states];
    if (collection !== EVENTS) return states.filter(({ labels }) => scope.matches(labels));
    const about = await Promise.all(states.map(({ body }) => this.#aboutOf(body)));
    const seen = await seenOf(store, scope, about);
    return states.filter((_, index) => {
      const one = about[index];
      return one !== undefined && seen.has(idOf(one));
    });
  }

  /**
   * The object that an Event is about. Undefined for an unknown kind. Undefined also for an object in another
   * namespace, about which a grant in this namespace says nothing.
   */
  async #aboutOf(event: JsonObject): Promise<About | undefined> {
    const { apiVersion, kind, namespace, name, uid } = objectAt(event.involvedObject ?? event.regarding);
    const [group = ''] = /^[^/]+(?=\/)/.exec(String(apiVersion ?? '')) ?? [];
    const isIt = (type: ResourceType) => type.group === group && type.kind === kind;
    const type = resourceTypes.find(isIt) ?? (await this.#options.customTypes()).find(isIt);
    if (type === undefined || typeof name !== 'string') return undefined;
    const place = type.scope === 'Namespaced' ? String(namespace ?? '') : '';
    if (place !== '' && place !== metadataOf(event).namespace) return undefined;
    return {
      collection: collectionOfType(type),
      name: { namespace: place, name },
      uid: typeof uid === 'string' ? uid : '',
    };
  }
}

/** The ids of the objects that exist now and are within the scope. A deleted object has no labels. */
async function seenOf(
  store: Store,
  scope: Scope,
  about: readonly (About | undefined)[],
): Promise<ReadonlySet<string>> {
  const named = new Map(about.flatMap((one) => (one === undefined ? [] : [[placeOf(one), one] as const])));
  const places = [...named];
  const seen = new Set<string>();
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const some = places.slice(from, from + AT_ONCE);
    const { objects } = await store.prefetch({ objects: some.map(([, one]) => one), collections: [] });
    for (const [index, { state }] of objects.entries()) {
      const one = some[index]?.[1];
      if (one === undefined || state === undefined || !scope.matches(state.labels)) continue;
      seen.add(idOf({ ...one, uid: state.uid }));
      // The writer of an Event need not know the uid of its object.
      seen.add(idOf({ ...one, uid: '' }));
    }
  }
  return seen;
}

const placeOf = ({ collection, name }: About) => `${collection}/${name.namespace}/${name.name}`;
const idOf = (about: About) => `${placeOf(about)}/${about.uid}`;
