import type { Violation } from '../checks/index.ts';
import { NAMESPACE } from './grants.ts';
import { isIn } from './kept-sight.ts';
import { labelledOf, type TenantRecord, type ToldRecord } from './tenant-record.ts';

/**
 * Checks the queues and Tallies of tenants. A queue receives no object outside every scope in force since the object
 * was written or since the last ERROR, whichever is later. When all is quiet, the queue has delivered, and the Tally
 * has counted, exactly what the tenant's grants select.
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
  // A queue may deliver a message after an ERROR that was sent later.
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

/** The objects that a tenant's grants select. Naive: reads the rows of the pods. */
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
