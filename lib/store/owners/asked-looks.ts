import type { JsonObject } from '../../json/index.ts';
import { metadataOf } from '../../json/index.ts';
import type { AskedLook } from './gc-tasks.ts';

/** Hold an object that is on its way out until reconcile has seen to its dependents. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
export const ORPHAN_FINALIZER = 'orphan';

/** What a write comes to, as far as looks are concerned. */
export interface Written {
  readonly before: JsonObject | undefined;
  /** Undefined: deleted. */
  readonly after: JsonObject | undefined;
  readonly hasDependents: boolean;
  readonly addsOwners: boolean;
  readonly expires: number | undefined;
}

/**
 * The looks that a write asks for: at the dependents where it deletes their owner, or marks it so that they come first;
 * at the owners where it names new ones, for which the schedule comes.
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

/** What is to be done with the dependents of an object that is on its way out, before it may go. */
export function sweeps(body: JsonObject): 'foreground' | 'orphan' | undefined {
  const { deletionTimestamp, finalizers } = metadataOf(body);
  if (deletionTimestamp === undefined || !Array.isArray(finalizers)) return undefined;
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'foreground' : undefined;
}
