import type { JsonObject } from '../../json/index.ts';

/** The components that report Events: for subscriptions, and for bound pods. */
export const COMPONENTS = { subscriptions: 'winnow-subscriptions', placement: 'winnow-placement' } as const;
const TELLERS: ReadonlySet<unknown> = new Set(Object.values(COMPONENTS));
/** The lifetime of Events in ms: the default of kube-apiserver's `--event-ttl`. */
const LIFETIME = 3_600_000;

/**
 * Returns the time at which an Event of Winnow expires, in ms since the epoch: an hour after its last report.
 * Undefined for other Events, which do not expire.
 */
export function expiryOfEvent({ reportingComponent, lastTimestamp }: JsonObject): number | undefined {
  const told = Date.parse(String(lastTimestamp));
  return TELLERS.has(reportingComponent) && !Number.isNaN(told) ? told + LIFETIME : undefined;
}
