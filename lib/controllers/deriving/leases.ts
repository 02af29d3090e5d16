import type { WorkRequest } from '../../coordination/index.ts';
import { type Collection, objectAt } from '../../json/index.ts';
import type { JournalChange, ObjectState } from '../../store/index.ts';
import { isReady } from './is-ready.ts';

export const LEASES: Collection = 'coordination.k8s.io/leases';

/** The label of a pod that names a Lease of its namespace. The pod is ready only while a client renews the Lease. */
export const LEASE_LABEL = 'winnow.dev/lease';

/** In ms: the most by which clocks of functions may differ. A renewal this late causes another check of the Lease. */
const SKEW = 5_000;

/** When a Lease ends unless it is renewed, in ms since the epoch; 0 where it does not exist or has no valid times. */
export function endOf(lease: ObjectState | undefined): number {
  if (lease === undefined) return 0;
  const { renewTime, leaseDurationSeconds } = objectAt(lease.body.spec);
  const end = Date.parse(String(renewTime)) + Number(leaseDurationSeconds) * 1_000;
  return Number.isFinite(end) ? end : 0;
}

/**
 * Work requests for Leases with a change that a check at their end would miss: they were created or deleted, end
 * sooner, or had already ended. `now` is taken after the changes were read. A check that found a Lease ended before
 * its renewal ran before `now`.
 */
export function movedLeases(changes: readonly JournalChange[], now: number): readonly WorkRequest[] {
  return changes
    .filter(({ before, after }) => {
      const former = endOf(before);
      return after === undefined || endOf(after) < former || former <= now + SKEW;
    })
    .map(({ name, rv }) => ({ subject: { collection: LEASES, name }, collection: LEASES, rv }));
}

/** Work requests for the Leases of pods that are new, name another Lease, or became ready or unready. */
export function leasesOfPods(
  collection: Collection,
  changes: readonly JournalChange[],
): readonly WorkRequest[] {
  return changes.flatMap(({ name: { namespace }, before, after, rv }) => {
    const lease = after?.labels[LEASE_LABEL];
    const isSame =
      before?.uid === after?.uid &&
      before?.labels[LEASE_LABEL] === lease &&
      isReady(before?.body) === isReady(after?.body);
    if (lease === undefined || isSame) return [];
    return [{ subject: { collection: LEASES, name: { namespace, name: lease } }, collection, rv }];
  });
}
