import { misnumbered, type Numbered, setOf } from '../../support/watch/misnumbered.ts';
import type { Snapshot, SubscriptionRecord } from '../history.ts';
import { selectorOf } from './naive-selector.ts';
import { messagesOf } from './queued-spells.ts';
import type { Run } from './run.ts';
import { isChange } from './spells.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "proven": with `verify` the changes of a start are numbered without gaps. A message that comes twice or
 * out of order has the same number again. Each message states the set after it. A start that the loss of its queue cut
 * off may lack the messages that would have been sent again.
 */
export function checkProven({ history }: Run): Violation[] {
  return history.subscriptions.flatMap((record) => {
    const { verified, name } = record;
    if (verified === undefined) return [];
    const found = sets(record, verified).map((initial) => wrongOf(record, initial));
    const least = found.find((wrong) => wrong.length === 0) ?? found[0] ?? [];
    if (least.length === 0) return [];
    return [{ check: 'proven', message: `${name} has messages that do not prove its set`, evidence: least }];
  });
}

/** The sets with which the subscription may have begun: an edit may come before the first reconciliation. */
function sets({ asks }: SubscriptionRecord, verified: readonly Snapshot[]): Map<string, string>[] {
  return asks.map(
    (asked) =>
      new Map(
        verified.filter(selectorOf(asked)).map(({ object, rv }): [string, string] => [object, String(rv)]),
      ),
  );
}

function wrongOf(record: SubscriptionRecord, initial: ReadonlyMap<string, string>): string[] {
  const messages = numberedOf(record);
  const last = Math.max(0, ...messagesOf(record).map(({ start }) => start));
  const isCutOff = (start: string) => Number(start) < last || record.cache === undefined;
  const wrong = misnumbered(messages, { initial, isCutOff });
  return [
    ...wrong,
    ...(wrong.length === 0
      ? endOf(
          record,
          messages.filter(({ start }) => Number(start) === last),
        )
      : []),
  ];
}

/**
 * Compares the consumer's cache with the set in the last message of the last start, when all is quiet. Only a consumer
 * that began with a snapshot knows the whole set.
 */
function endOf({ cache, start }: SubscriptionRecord, messages: readonly Numbered[]): string[] {
  const highest = Math.max(0, ...messages.map(({ sequence }) => sequence));
  const last = messages.find(({ sequence }) => sequence === highest);
  if (cache === undefined || last === undefined || (start === 'now' && last.start === '1')) return [];
  const known = setOf(new Map(cache.map(({ object, rv }) => [object, String(rv)])));
  return known === last.set ? [] : [`the last message says ${last.set}, and known is ${known}`];
}

function numberedOf(record: SubscriptionRecord): Numbered[] {
  return messagesOf(record).flatMap(({ event, start, edit, sequence = 0, set = '' }): Numbered[] => {
    if (!isChange(event)) return [];
    const { object: key, rv } = event.object;
    return [{ start: String(start), edit, sequence, set, type: event.type, key, rv: String(rv) }];
  });
}
