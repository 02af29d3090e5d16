import type { WorkRequest } from '../../coordination/index.ts';
import { type Collection, objectAt } from '../../json/index.ts';
import type { JournalChange, ObjectState } from '../../store/index.ts';
import { isReady } from './is-ready.ts';

export const LEASES: Collection = 'coordination.k8s.io/leases';

/** On a pod: the Lease of its namespace that somebody renews as long as it is to be ready. */
export const LEASE_LABEL = 'winnow.dev/lease';

/** In ms: by how much clocks of functions may differ. A renewal this late causes another check of the Lease. */
const SKEW = 5_000;

/** Until when a Lease holds that nobody renews, in ms since the epoch; 0 where it is not there, or does not say. */
export function endOf(lease: ObjectState | undefined): number {
  if (lease === undefined) return 0;
  const { renewTime, leaseDurationSeconds } = objectAt(lease.body.spec);
  const end = Date.parse(String(renewTime)) + Number(leaseDurationSeconds) * 1_000;
  return Number.isFinite(end) ? end : 0;
}

/**
 * The Leases of which a change says something that is not found out at their end: they came, went, end sooner, or had
 * ended. `now` is read after the changes: who found a Lease ended before it was renewed did so before then.
 */
export function movedLeases(changes: readonly JournalChange[], now: number): readonly WorkRequest[] {
  return changes
    .filter(({ before, after }) => {
      const former = endOf(before);
      return after === undefined || endOf(after) < former || former <= now + SKEW;
    })
    .map(({ name, rv }) => ({ subject: { collection: LEASES, name }, collection: LEASES, rv }));
}

/** The Leases of pods that are others, have another Lease, or of which somebody says whether they are ready. */
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
