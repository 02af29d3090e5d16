import {
  type Collection,
  collectionOf,
  type JsonObject,
  metadataOf,
  type ObjectName,
} from '../../json/index.ts';
import { aggregateRoles, Policy, type PolicyKinds } from '../../kubernetes/rbac/index.ts';
import { apiVersionOf, collectionOfType, resourceTypes } from '../../kubernetes/resource-types/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { type AccessVersions, eachPage, GoneError, parseNameKey, type Store } from '../../store/index.ts';
import { AccessEntries } from './access-entries.ts';

export const ACCESS_ENTRIES: Collection = collectionOf('winnow.dev', 'accessentries');

/** The kinds of a policy, by collection. */
const KINDS: ReadonlyMap<Collection, keyof PolicyKinds> = new Map(
  resourceTypes
    .filter(({ decides }) => decides === 'permissions')
    .toSorted((one, other) => (apiVersionOf(one) + one.kind < apiVersionOf(other) + other.kind ? -1 : 1))
    .map((type) => [collectionOfType(type), type.kind as keyof PolicyKinds]),
);
const COLLECTIONS: readonly Collection[] = [...KINDS.keys(), ACCESS_ENTRIES];

/** The new state of one object; `body` is undefined if the object was deleted. */
interface Step {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly body: JsonObject | undefined;
}

/** Identities and permissions. */
interface Policies {
  readonly policy: Policy;
  readonly entries: AccessEntries;
}

/** Identities and permissions for one request. */
export interface Known extends Policies {
  /** The key in the row; undefined if no grant was ever written. */
  readonly secret: string | undefined;
}

/** All roles, bindings, grants and AccessEntries, with the resourceVersion of each collection. */
interface Held {
  readonly versions: ReadonlyMap<Collection, number>;
  readonly known: Policies;
}

/**
 * Caches roles, bindings, grants and AccessEntries between the requests of one process. A permission that was revoked
 * before a request began does not count for that request:
 *
 * 1. The request reads the row that holds the current resourceVersion of each collection.
 * 2. If the cache is older, the request reads the journals up to these versions and applies all changes in one step.
 * 3. If there is no cache, or the journals are compacted, the request lists all collections.
 *
 * Every request therefore uses the whole policy as of its start or later, and never a mixture.
 */
export class PolicyCache {
  /** The cached policy, as of one moment. */
  #held: Held | undefined;

  /** The current policy. It takes one consistent read if nothing has changed. */
  async current(store: Store): Promise<Known> {
    for (;;) {
      const wanted = await store.accessVersions();
      const reached = await this.#reach(store, wanted);
      if (reached !== undefined) return { ...reached.known, secret: wanted.secret };
      const listed = await this.#list(store, wanted);
      if (listed !== undefined) return listed;
    }
  }

  /**
   * The cached policy, brought up to the versions in the row; undefined if there is none, or the journals are
   * compacted.
   */
  async #reach(store: Store, wanted: AccessVersions): Promise<Held | undefined> {
    for (;;) {
      const base = this.#held;
      if (base === undefined || isUpTo(base.versions, wanted)) return base;
      const steps = await followed(store, base, wanted);
      if (steps === undefined) return undefined;
      // Another request may have brought the cache further meanwhile.
      if (this.#held === base) this.#held = extended(base, steps, wanted);
    }
  }

  /**
   * Lists all collections. The LISTs show different moments. So it reads the row again after the last LIST, and applies
   * all changes up to the versions in that row. Undefined if the journals are compacted meanwhile.
   */
  async #list(store: Store, wanted: AccessVersions): Promise<Known | undefined> {
    const base = this.#held;
    const listed = await listAll(store, wanted);
    const latest = await store.accessVersions();
    const steps = await followed(store, listed, latest);
    if (steps === undefined) return undefined;
    const held = extended(listed, steps, latest);
    if (this.#held === base) this.#held = held;
    return { ...held.known, secret: latest.secret };
  }
}

/** The changes since a cached policy; undefined if the journals are compacted. */
async function followed(
  store: Store,
  { versions }: Held,
  wanted: AccessVersions,
): Promise<Step[] | undefined> {
  try {
    const all = COLLECTIONS.map((one) => changesOf(store, one, versions.get(one) ?? 0, wanted.get(one) ?? 0));
    return (await Promise.all(all)).flat();
  } catch (error) {
    if (error instanceof GoneError) return undefined;
    throw error;
  }
}

function extended({ known, versions }: Held, steps: readonly Step[], wanted: AccessVersions): Held {
  apply(known, steps);
  return { known, versions: later(versions, wanted) };
}

function isUpTo(versions: ReadonlyMap<Collection, number>, wanted: AccessVersions): boolean {
  return COLLECTIONS.every((one) => (versions.get(one) ?? 0) >= (wanted.get(one) ?? 0));
}

function later(versions: ReadonlyMap<Collection, number>, wanted: AccessVersions): Held['versions'] {
  return new Map(COLLECTIONS.map((one) => [one, Math.max(versions.get(one) ?? 0, wanted.get(one) ?? 0)]));
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

async function listAll(store: Store, wanted: AccessVersions): Promise<Held> {
  const known = { policy: new Policy(), entries: new AccessEntries() };
  // The row has recorded every write of Winnow's own kinds: without a version, such a collection is empty.
  const filled = COLLECTIONS.filter((one) => !isOurs(one) || wanted.get(one) !== 0);
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

/**
 * Whether an object is being deleted. An object of Winnow's own kinds that is being deleted grants nothing, even while
 * a finalizer holds it. Kubernetes' roles grant until they are removed.
 */
const isLeaving = (body: JsonObject) => metadataOf(body).deletionTimestamp !== undefined;
const isOurs = (collection: Collection) => collection.startsWith('winnow.dev/');

/** Applies the changes synchronously, so that no request sees some of them. */
function apply({ policy, entries }: Policies, steps: readonly Step[]): void {
  for (const { collection, name, body } of steps) {
    if (collection === ACCESS_ENTRIES) applyEntry(entries, name, body);
    const kind = KINDS.get(collection);
    if (kind === undefined) continue;
    if (body === undefined || (isOurs(collection) && isLeaving(body))) {
      policy.delete(kind, name);
    } else {
      policy.set(kind, body as unknown as PolicyKinds[typeof kind]);
    }
  }
  if (steps.some(({ collection }) => KINDS.get(collection) === 'ClusterRole')) aggregateRoles(policy);
}

function applyEntry(entries: AccessEntries, { name }: ObjectName, body: JsonObject | undefined): void {
  if (body === undefined || isLeaving(body)) {
    entries.delete(name);
  } else {
    entries.set(name, body);
  }
}
