import { SUBSCRIPTIONS, TALLIES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import type { Violation } from '../checks/index.ts';
import type { AuthorRecord, Received } from './author-record.ts';
import { NAMESPACE } from './identities.ts';

/**
 * The longest time, in ms, between the decision about an author and the arrival of a message sent because of it. A
 * function decides and sends within one invocation, and a request may reach the queue late.
 */
const HELD = TIMING.reconcile + 10_000;

/**
 * Checks what authors are promised:
 * 1. No queue receives a change that was written after its author had ended, even if another account has the name.
 * 2. When all is quiet, the queue and the Tally of an author that lives have all objects. Those of an author that has
 *    ended have none.
 * 3. An author whose identity does not change receives every change, and no ERROR.
 */
export function keptAuthors(record: AuthorRecord): Violation[] {
  const { received } = record;
  return [
    ...violation(
      "an author's queue was sent what was written after the author had ended",
      received.flatMap((one) => leaks(record, one)),
    ),
    ...violation(
      'an author that lives lacks objects, or one that has ended has some',
      received.flatMap((one) => wrongAtLast(record, one)),
    ),
    ...violation(
      'an author that lived all the time was not sent every change',
      received.filter(({ isSpared }) => isSpared).flatMap((one) => lost(record, one)),
    ),
  ];
}

function leaks(record: AuthorRecord, { identity, messages }: Received): string[] {
  const found: string[] = [];
  let since = record.writings(SUBSCRIPTIONS, identity)[0]?.from ?? 0;
  // A queue may deliver a message after an ERROR that was sent later.
  const asSent = [...messages].sort((one, other) => (one.sentAt ?? 0) - (other.sentAt ?? 0));
  for (const { event, sentAt = 0 } of asSent) {
    if (event.type === 'ERROR') since = Math.max(since, sentAt);
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue;
    const { object, rv } = event.object;
    const written = record.versions.get(`${identity.collection} ${object}@${rv}`) ?? 0;
    const least = Math.max(since, written, sentAt - HELD);
    if (record.wasAlive(identity, [least, sentAt])) continue;
    found.push(JSON.stringify({ author: identity.name, form: identity.form, since, written, sentAt, event }));
  }
  return found;
}

function wrongAtLast(record: AuthorRecord, { identity, known, count, objects }: Received): string[] {
  const { name, form } = identity;
  const due = (collection: typeof SUBSCRIPTIONS) =>
    record.isAliveAtLast(collection, identity) ? [...objects].sort() : [];
  const has = known.map(({ object, rv }) => `${object}@${rv}`).sort();
  const [told, counted] = [due(SUBSCRIPTIONS), due(TALLIES).length];
  return [
    ...(has.join() === told.join() ? [] : [`${name} (${form}) knows ${has}, and not ${told}`]),
    ...(count === counted ? [] : [`${name} (${form}) has counted ${count}, and not ${counted}`]),
  ];
}

/** Checks that every version written after the end of the snapshot is among the messages. */
function lost({ versions }: AuthorRecord, { identity, messages }: Received): string[] {
  const { name, collection } = identity;
  const forgets = messages.filter(({ event }) => event.type === 'ERROR').length;
  const sent = new Set(
    messages.flatMap(({ event }) =>
      'object' in event ? [`${collection} ${event.object.object}@${event.object.rv}`] : [],
    ),
  );
  const begun = Math.min(
    ...messages.filter(({ event }) => event.type === 'BOOKMARK').map(({ sentAt = 0 }) => sentAt),
  );
  const missing = [...versions]
    .filter(
      ([version, at]) =>
        version.startsWith(`${collection} ${NAMESPACE}/`) && at > begun && !sent.has(version),
    )
    .map(([version]) => `${name} was not sent ${version}`);
  return [...(forgets === 0 ? [] : [`${name} was told ${forgets} times to forget`]), ...missing];
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-authors', message, evidence: evidence.slice(0, 5) }];
}
