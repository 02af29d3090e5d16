import {
  type Collection,
  collectionOf,
  type JsonObject,
  metadataOf,
  type ObjectName,
} from '../../json/index.ts';
import { aggregateRoles, Policy, type PolicyKinds } from '../../kubernetes/rbac/index.ts';
import { apiVersionOf, collectionOfType, resourceTypes } from '../../kubernetes/resource-types/index.ts';
import type { AccessVersions, Store } from '../../store/index.ts';
import { JournalCache, type Step } from '../journal-cache/index.ts';
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

/** Identities and permissions. */
interface Policies {
  readonly policy: Policy;
  readonly entries: AccessEntries;
}

/** Identities and permissions for one request. */
export interface Known extends Policies {
  /** The row that the request has read. */
  readonly row: AccessVersions;
}

/**
 * Caches roles, bindings, grants and AccessEntries between the requests of one process ({@link JournalCache}). A
 * permission that was revoked before a request began does not count for that request.
 */
export class PolicyCache {
  readonly #cache = new JournalCache<Policies>({
    collections: COLLECTIONS,
    // The row has recorded every write of Winnow's own kinds: without a version, such a collection is empty.
    isWhole: isOurs,
    empty: () => ({ policy: new Policy(), entries: new AccessEntries() }),
    apply,
  });

  /** The current policy. It takes one consistent read if nothing has changed. */
  async current(store: Store): Promise<Known> {
    const { known, row } = await this.#cache.current(store);
    return { ...known, row };
  }
}

/**
 * Whether an object is being deleted. An object of Winnow's own kinds that is being deleted grants nothing, even while
 * a finalizer holds it. Kubernetes' roles grant until they are removed.
 */
const isLeaving = (body: JsonObject) => metadataOf(body).deletionTimestamp !== undefined;

function isOurs(collection: Collection): boolean {
  return collection.startsWith('winnow.dev/');
}

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
