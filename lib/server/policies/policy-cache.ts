import {
  type Collection,
  collectionOf,
  type JsonObject,
  metadataOf,
  type ObjectName,
} from '../../json/index.ts';
import { aggregateRoles, Policy, type PolicyKinds } from '../../kubernetes/rbac/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { type AccessVersions, eachPage, GoneError, parseNameKey, type Store } from '../../store/index.ts';
import { AccessEntries } from './access-entries.ts';

export const ACCESS_ENTRIES: Collection = collectionOf('winnow.dev', 'accessentries');

/** What a policy is made of, by the collection that it is kept in. */
const KINDS: ReadonlyMap<Collection, keyof PolicyKinds> = new Map([
  [collectionOf('rbac.authorization.k8s.io', 'clusterroles'), 'ClusterRole'],
  [collectionOf('rbac.authorization.k8s.io', 'clusterrolebindings'), 'ClusterRoleBinding'],
  [collectionOf('rbac.authorization.k8s.io', 'roles'), 'Role'],
  [collectionOf('rbac.authorization.k8s.io', 'rolebindings'), 'RoleBinding'],
  [collectionOf('winnow.dev', 'accessgrants'), 'AccessGrant'],
  [collectionOf('winnow.dev', 'clusteraccessgrants'), 'ClusterAccessGrant'],
]);
const COLLECTIONS: readonly Collection[] = [...KINDS.keys(), ACCESS_ENTRIES];

/** Of these nothing was ever written without the row: where it says nothing of one, there is none. */
const ALWAYS_VERSIONED: ReadonlySet<Collection> = new Set([
  ACCESS_ENTRIES,
  collectionOf('winnow.dev', 'accessgrants'),
  collectionOf('winnow.dev', 'clusteraccessgrants'),
]);

/** One object as it is from now on; undefined where it is gone. */
interface Step {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly body: JsonObject | undefined;
}

/** Identities and rights. */
interface Policies {
  readonly policy: Policy;
  readonly entries: AccessEntries;
}

/** The same, for one request. */
export interface Known extends Policies {
  /** As the row said; undefined where no grant was ever written. */
  readonly secret: string | undefined;
}

/** All roles, bindings and AccessEntries: each collection at its resourceVersion. */
interface Held {
  readonly versions: ReadonlyMap<Collection, number>;
  readonly known: Policies;
}

/**
 * The roles, bindings, grants and AccessEntries that a process caches between requests. Each request reads the row of
 * the resourceVersions that count, and gets the whole policy as it was then or later, never a mixture. The policy is
 * listed once, then followed in the journals up to the versions in the row, and changed in one step. So what was
 * revoked before a request began does not count for it.
 */
export class PolicyCache {
  /** As it was at one moment. */
  #held: Held | undefined;

  /** One consistent read, where nothing has changed since. */
  async current(store: Store): Promise<Known> {
    for (;;) {
      const wanted = await store.accessVersions();
      const reached = await this.#reach(store, wanted);
      if (reached !== undefined) return { ...reached.known, secret: wanted.secret };
      const listed = await this.#list(store, wanted);
      if (listed !== undefined) return listed;
    }
  }

  /** What is held, followed up to the row; undefined where nothing is, or the journals do not tell it any more. */
  async #reach(store: Store, wanted: AccessVersions): Promise<Held | undefined> {
    for (;;) {
      const base = this.#held;
      if (base === undefined || isUpTo(base.versions, wanted)) return base;
      const steps = await followed(store, base, wanted);
      if (steps === undefined) return undefined;
      // Another request may have followed the journal meanwhile, so its position is read.
      if (this.#held === base) this.#held = extended(base, steps, wanted);
    }
  }

  /**
   * All anew. The LISTs show different moments. No request may use them before they were followed up to a row that
   * was read after the last LIST. Undefined where the journals do not tell it any more.
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

/** What has changed since; undefined where that is not told any more. */
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
  const filled = COLLECTIONS.filter((one) => !ALWAYS_VERSIONED.has(one) || wanted.get(one) !== 0);
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

/** A deletion takes what was given, also where a finalizer holds the object. Of roles Kubernetes decides otherwise. */
const isLeaving = (body: JsonObject) => metadataOf(body).deletionTimestamp !== undefined;
const isOurs = (collection: Collection) => collection.startsWith('winnow.dev/');

/** In one step: nobody sees what is changed in part. */
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
