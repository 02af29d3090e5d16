import type { Violation } from '../checks/index.ts';
import { isIn, selectTheSame } from './kept-sight.ts';
import type { EventShown, Presented, TenantRecord } from './tenant-record.ts';

/**
 * The allowed statuses of a refused token: the token is of another list, the caller may not list, or it has to retry.
 */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 410, 429]);

/**
 * Checks Events and continue tokens. A tenant sees no Event of an object outside every scope that was in force during
 * the decision. No client continues the list of a client that saw other objects, or a list with another selector.
 */
export function keptVerbs(record: TenantRecord): Violation[] {
  const events = record.events
    .filter((one) => !isOfSeen(record, one))
    .map((one) => JSON.stringify({ ...one, scopes: record.inForce(one.who, one.since, one.at) }));
  const tokens = record.presented.filter((one) => !isRight(record, one)).map((one) => JSON.stringify(one));
  return [
    ...violation('a tenant was shown an Event of what no grant of his selected', events),
    ...violation('somebody went on with a list that was not his', tokens),
  ];
}

function isOfSeen(record: TenantRecord, { who, since, at, object, uid }: EventShown): boolean {
  const there = record.readable.filter(
    (one) => one.object === object && (uid === '' || one.uid === uid) && one.from <= at && one.until >= since,
  );
  return record.inForce(who, since, at).some((texts) => there.some((one) => isIn(texts, one)));
}

function isRight(record: TenantRecord, { who, since, at, status, isOfOther, presented }: Presented): boolean {
  if (status !== 200) return REFUSED.has(status) || status >= 500;
  const { giver, ...given } = presented;
  if (isOfOther) return false;
  if (who === undefined || giver === undefined) return who === giver;
  const before = record.inForce(giver, given.since, given.at);
  return record
    .inForce(who, since, at)
    .some((texts) => before.some((others) => selectTheSame(texts, others)));
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-verbs', message, evidence: evidence.slice(0, 5) }];
}
