import type { Collection, JsonObject } from '../../json/index.ts';
import { dependentKey } from '../keys.ts';
import type { ObjectState } from '../object.ts';
import type { TransactItem } from '../table.ts';
import { type OwnerReference, ownerReferencesOf } from './owner-references.ts';

/** The longest uid of an owner. No object has a longer one, and a key must stay short. */
const LONGEST_UID = 128;

/** The changes that a write makes to the object's owner rows. */
export interface OwnerPlan {
  /** The uids that have a row after the write. */
  readonly tracked: readonly string[];
  /** References whose rows are put, and uids whose rows are deleted. */
  readonly put: readonly OwnerReference[];
  readonly gone: readonly string[];
  /** Whether the write names a new owner. The collector then checks that the owner exists. */
  readonly adds: boolean;
}

/**
 * Plans the owner rows of a write. References that are written from now on have rows. A reference from before owner
 * rows existed never gets a row, so it never causes a deletion.
 *
 * @param body the object after the write; undefined if it is deleted
 */
export function planOwners(before: ObjectState | undefined, body: JsonObject | undefined): OwnerPlan {
  const had = new Set(before?.trackedOwners);
  const old = new Map(ownerReferencesOf(before?.body ?? {}).map((reference) => [reference.uid, reference]));
  const references = body === undefined ? [] : ownerReferencesOf(body);
  const tracked = references.filter(
    ({ uid }) => uid.length <= LONGEST_UID && (had.has(uid) || !old.has(uid)),
  );
  const uids = tracked.map(({ uid }) => uid);
  return {
    tracked: uids,
    put: tracked.filter(({ uid, blocks }) => !had.has(uid) || old.get(uid)?.blocks !== blocks),
    gone: [...had].filter((uid) => !uids.includes(uid)),
    adds: tracked.some((reference) => !isSame(reference, old.get(reference.uid))),
  };
}

function isSame(reference: OwnerReference, old: OwnerReference | undefined): boolean {
  return old !== undefined && reference.kind === old.kind && reference.name === old.name;
}

/** The rows of a plan, as items of the transaction that writes the object. */
export function ownerItems(collection: Collection, name: string, { put, gone }: OwnerPlan): TransactItem[] {
  return [
    ...put.map(({ uid, blocks }) => ({ put: { ...dependentKey(uid, collection, name), blocks } })),
    ...gone.map((uid) => ({ delete: dependentKey(uid, collection, name) })),
  ];
}
