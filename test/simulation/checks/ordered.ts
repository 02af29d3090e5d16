import type { SubscriptionRecord } from '../history.ts';
import { BATCH, messagesOf } from './queued-spells.ts';
import type { Run } from './run.ts';
import {
  contentKey,
  describeEvent,
  isChange,
  placeOf,
  type QueuedSpell,
  type SpellMessage,
  versionOf,
  type WatchedSpell,
} from './spells.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "ordered": a watch delivers changes in the order of their resourceVersions, so an object never goes back.
 * A FIFO queue does too, except that a rewind repeats a suffix. So resourceVersions ascend among the last deliveries,
 * and among the first deliveries of one attempt. The messages of an edit count at its position. A Standard queue keeps
 * no order.
 */
export function checkOrdered({ history, watched, queued }: Run): Violation[] {
  const records = history.subscriptions.filter(({ queueType }) => queueType === 'FIFO');
  return [
    ...watched.flatMap(checkWatched),
    ...records.flatMap(checkStarts),
    ...queued.filter(({ fifo }) => fifo).flatMap(checkQueued),
  ];
}

/** Checks that no message from before a fresh start comes after it. */
function checkStarts(record: SubscriptionRecord): Violation[] {
  const messages = messagesOf(record);
  return messages.slice(1).flatMap((message, index) => {
    const before = messages[index];
    if (before === undefined || before.start <= message.start) return [];
    return [violation(`${record.name}'s queue, whose starts fall`, describe(before), describe(message))];
  });
}

function checkWatched({ name, all }: WatchedSpell): Violation[] {
  const told = all.filter((event) => event.type !== 'ERROR');
  return told.flatMap((event, index) => {
    const before = told[index - 1];
    if (before === undefined || (versionOf(before) ?? 0) <= (versionOf(event) ?? 0)) return [];
    return [violation(name, describeEvent(before), describeEvent(event))];
  });
}

/** Checks that places in the journal ascend among the first deliveries of an attempt, and among the last of all. */
function checkQueued(spell: QueuedSpell): Violation[] {
  const live = spell.messages.filter(({ event }) => isChange(event));
  const perAttempt = [...Map.groupBy(live, ({ attempt }) => attempt).values()].map(firsts);
  const lasts = spell.outlived ? [] : firsts(live.toReversed()).reverse();
  return [...earlyIn(spell), ...[...perAttempt, lasts].flatMap((part) => falls(spell, part))];
}

/** Finds changes above the end of an edit that come before the bookmark that ends it. */
function earlyIn({ name, messages, edits }: QueuedSpell): Violation[] {
  return edits.flatMap(({ edit, rv }) => {
    const bookmark = messages.findIndex((one) => one.event.type === 'BOOKMARK' && one.edit === edit);
    return messages.slice(0, bookmark).flatMap((message) => {
      const isEarly = isChange(message.event) && placeOf(message) > rv;
      return isEarly ? [violation(`${name}, before its edit ${edit} ended`, describe(message))] : [];
    });
  });
}

function falls({ name, bent }: QueuedSpell, messages: readonly SpellMessage[]): Violation[] {
  const violations: Violation[] = [];
  let highest: SpellMessage | undefined;
  let distance = 0;
  for (const message of messages) {
    if (highest === undefined || isBehind(message, highest)) {
      highest = message;
      distance = 0;
      continue;
    }
    distance += 1;
    if (!bent || distance >= BATCH) violations.push(violation(name, describe(highest), describe(message)));
  }
  return violations;
}

/** Whether a message is in order after another. The messages of one edit about several objects share one place. */
function isBehind(message: SpellMessage, other: SpellMessage): boolean {
  const [place, before] = [placeOf(message), placeOf(other)];
  return place > before || (place === before && message.position !== undefined);
}

/** The first message of each content. */
function firsts(messages: readonly SpellMessage[]): SpellMessage[] {
  const seen = new Set<string>();
  return messages.filter((message) => {
    const key = contentKey(message);
    return !seen.has(key) && seen.add(key);
  });
}

function describe({ event, deduplication }: SpellMessage): string {
  return `${describeEvent(event)} at ${event.at} (${deduplication})`;
}

function violation(name: string, ...evidence: string[]): Violation {
  return { check: 'ordered', message: `out of order: ${name}`, evidence };
}
