import type { Violation } from '../checks/index.ts';
import { NAMESPACE } from './grants.ts';
import { isIn } from './kept-sight.ts';
import { labelledOf, type TenantRecord, type ToldRecord } from './tenant-record.ts';

/**
 * Nobody's queue is told of what lay outside every scope of his that was in force when the object was written, or when
 * he was last told to forget, or later; and when all is quiet his queue has told, and his Tally has counted, just what
 * his grants select.
 */
export function keptTelling(record: TenantRecord): Violation[] {
  const leaked = record.told.flatMap((one) => leaks(record, one));
  const wrong = record.told.flatMap((one) => {
    const due = selected(record, one);
    const known = one.known.map(({ object, rv }) => `${object}@${rv}`).sort();
    const differs = [
      ...(known.join() === due.join() ? [] : [`${one.who} knows ${known}, and not ${due}`]),
      ...(one.count === due.length ? [] : [`${one.who} has counted ${one.count}, and not ${due.length}`]),
    ];
    return differs;
  });
  return [
    ...violation("a tenant's queue was told what no grant of his selected", leaked),
    ...violation('a tenant is not told, or does not count, what his grants select', wrong),
  ];
}

function leaks(record: TenantRecord, { who, messages }: ToldRecord): string[] {
  let since = 0;
  const found: string[] = [];
  // A queue may hand out what was sent before an ERROR after it.
  const asSent = [...messages].sort((one, other) => (one.sentAt ?? 0) - (other.sentAt ?? 0));
  for (const { event, sentAt = 0 } of asSent) {
    if (event.type === 'ERROR') since = Math.max(since, sentAt);
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue;
    const written = record.versions.get(`${event.object.object}@${event.object.rv}`) ?? 0;
    const scopes = record.inForce(who, Math.max(since, written), sentAt);
    if (!scopes.some((texts) => isIn(texts, event.object))) {
      found.push(JSON.stringify({ who, since, written, sentAt, event, scopes }));
    }
  }
  return found;
}

/** Naively, of the rows of the pods. */
function selected(record: TenantRecord, { who, own, isOfAll, pods }: ToldRecord): string[] {
  const [texts = []] = record.inForce(who, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  return pods
    .map(({ rv, body }) => ({ ...labelledOf(body), rv }))
    .filter((one) => isOfAll || one.object.startsWith(`${NAMESPACE}/`))
    .filter((one) => isIn(texts, one) && isIn([own], one))
    .map(({ object, rv }) => `${object}@${rv}`)
    .sort();
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-telling', message, evidence: evidence.slice(0, 5) }];
}
