import type { JsonObject } from '../../json/index.ts';

/** The components that report Events: for subscriptions, and for bound pods. */
export const COMPONENTS = { subscriptions: 'winnow-subscriptions', placement: 'winnow-placement' } as const;
const TELLERS: ReadonlySet<unknown> = new Set(Object.values(COMPONENTS));
/** As long as kube-apiserver keeps Events: its `--event-ttl`. */
const LIFETIME = 3_600_000;

/** When an Event that was told here goes, in ms since the epoch: an hour after it was told last. Others stay. */
export function expiryOfEvent({ reportingComponent, lastTimestamp }: JsonObject): number | undefined {
  const told = Date.parse(String(lastTimestamp));
  return TELLERS.has(reportingComponent) && !Number.isNaN(told) ? told + LIFETIME : undefined;
}
