import type { JsonObject } from '../../json/index.ts';
import { metadataOf } from '../../json/index.ts';
import type { AskedLook } from './gc-tasks.ts';

/** The finalizers that keep an object in deletion until reconcile has processed its dependents. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
export const ORPHAN_FINALIZER = 'orphan';

/** The facts about a write that decide its GC tasks. */
export interface Written {
  readonly before: JsonObject | undefined;
  /** The object after the write; undefined if it is deleted. */
  readonly after: JsonObject | undefined;
  readonly hasDependents: boolean;
  readonly addsOwners: boolean;
  readonly expires: number | undefined;
}

/**
 * The GC tasks that a write creates. It creates a check of the dependents if it deletes their owner, or marks the owner
 * so that the dependents are deleted or orphaned first. It creates a check of the owners if it names new owners, and a
 * check of the expiry if the object can expire.
 */
export function askedLooks({ before, after, ...asks }: Written, now: number): AskedLook[] {
  const sweep = after && sweeps(after);
  const marks = sweep !== undefined && sweep !== sweeps(before ?? {});
  const leaves = after === undefined && asks.hasDependents;
  return [
    ...(marks || leaves ? [{ what: 'dependents', due: now } as const] : []),
    ...(asks.addsOwners ? [{ what: 'owners', due: now } as const] : []),
    ...(asks.expires === undefined ? [] : [{ what: 'expiry', due: asks.expires } as const]),
  ];
}

/** What reconcile must do with the dependents of an object in deletion before the object may go. */
export function sweeps(body: JsonObject): 'foreground' | 'orphan' | undefined {
  const { deletionTimestamp, finalizers } = metadataOf(body);
  if (deletionTimestamp === undefined || !Array.isArray(finalizers)) return undefined;
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'foreground' : undefined;
}
