import type { SubscriptionRecord } from '../history.ts';
import { BATCH, messagesOf } from './queued-spells.ts';
import type { Run } from './run.ts';
import {
  type ChangeEvent,
  describeEvent,
  isChange,
  type QueuedSpell,
  type SpellMessage,
  versionOf,
  type WatchedSpell,
} from './spells.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "ordered": a watch tells changes in the order of their resourceVersions, so an object never goes back.
 * A FIFO queue does too, except that a rewind repeats a suffix: among the last deliveries, and among the first of
 * one attempt, resourceVersions ascend. A Standard queue keeps no order.
 */
export function checkOrdered({ history, watched, queued }: Run): Violation[] {
  const records = history.subscriptions.filter(({ queueType }) => queueType === 'FIFO');
  return [
    ...watched.flatMap(checkWatched),
    ...records.flatMap(checkStarts),
    ...queued.filter(({ fifo }) => fifo).flatMap(checkQueued),
  ];
}

/** What was sent before a fresh start never comes behind it. */
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

type LiveMessage = SpellMessage & { readonly event: ChangeEvent };

function checkQueued(spell: QueuedSpell): Violation[] {
  const { messages, snapshots, isCutShort, outlived } = spell;
  // A snapshot comes by names: one that was cut short is all that there is of its spell.
  const at = isCutShort ? Number.POSITIVE_INFINITY : (snapshots[0] ?? 0);
  const live = messages.filter((one): one is LiveMessage => isChange(one.event) && one.event.object.rv > at);
  const perAttempt = [...Map.groupBy(live, ({ attempt }) => attempt).values()].map(firsts);
  const lasts = outlived ? [] : firsts(live.toReversed()).reverse();
  return [...earlyIn(spell, at), ...[...perAttempt, lasts].flatMap((part) => falls(spell, part))];
}

/** Live changes come behind the bookmark that ends the snapshot. */
function earlyIn({ name, messages }: QueuedSpell, at: number): Violation[] {
  const bookmark = messages.findIndex(({ event }) => event.type === 'BOOKMARK');
  return messages.slice(0, Math.max(bookmark, 0)).flatMap((message) => {
    const isEarly = (versionOf(message.event) ?? 0) > at;
    return isEarly ? [violation(`${name}, before its snapshot ended`, describe(message))] : [];
  });
}

function falls({ name, bent }: QueuedSpell, messages: readonly LiveMessage[]): Violation[] {
  const violations: Violation[] = [];
  let highest: LiveMessage | undefined;
  let distance = 0;
  for (const message of messages) {
    if (highest === undefined || message.event.object.rv > highest.event.object.rv) {
      highest = message;
      distance = 0;
      continue;
    }
    distance += 1;
    if (!bent || distance >= BATCH) violations.push(violation(name, describe(highest), describe(message)));
  }
  return violations;
}

/** The first message of each change. */
function firsts(messages: readonly LiveMessage[]): LiveMessage[] {
  const seen = new Set<number>();
  return messages.filter(({ event }) => !seen.has(event.object.rv) && seen.add(event.object.rv));
}

function describe({ event, deduplication }: SpellMessage): string {
  return `${describeEvent(event)} at ${event.at} (${deduplication})`;
}

function violation(name: string, ...evidence: string[]): Violation {
  return { check: 'ordered', message: `out of order: ${name}`, evidence };
}
