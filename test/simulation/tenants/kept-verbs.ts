import type { Violation } from '../checks/index.ts';
import { isIn, selectTheSame } from './kept-sight.ts';
import type { EventShown, Presented, TenantRecord } from './tenant-record.ts';

/** What there is to say of a token that is not gone on with: it is none of this list, or who asks may not, or not now. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 410, 429]);

/**
 * A tenant is shown no Event of what lay outside every scope of his while that was decided, and goes on with no list of
 * somebody who saw other objects, nor anybody with a tenant's, nor with another list.
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
