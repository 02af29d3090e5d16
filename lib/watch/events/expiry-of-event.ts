import type { JsonObject } from '../../store/index.ts';

/** Who tells of subscriptions. */
export const COMPONENT = 'winnow-subscriptions';
/** As long as kube-apiserver keeps Events: its `--event-ttl`. */
const LIFETIME = 3_600_000;

/** When an Event that was told here goes, in ms since the epoch: an hour after it was told last. Others stay. */
export function expiryOfEvent({ reportingComponent, lastTimestamp }: JsonObject): number | undefined {
  const told = Date.parse(String(lastTimestamp));
  return reportingComponent === COMPONENT && !Number.isNaN(told) ? told + LIFETIME : undefined;
}
