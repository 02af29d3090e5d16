import type { Run } from './run.ts';
import {
  contentKey,
  describeEvent,
  isChange,
  type QueuedSpell,
  type SpellMessage,
  versionOf,
  type WatchedSpell,
} from './spells.ts';
import type { Violation } from './violation.ts';

/** The time in ms for which SQS drops a message whose deduplication id it has seen. */
const DEDUPLICATED = 5 * 60_000;

/**
 * Guarantee "unique": a watch delivers a change once. A FIFO queue holds it once an attempt, for the five minutes of
 * SQS's deduplication. Two redeliveries are allowed: a higher attempt, and SQS delivering one message again.
 */
export function checkUnique(run: Run): Violation[] {
  const fifo = run.queued.filter((spell) => spell.fifo);
  return [...run.watched.flatMap(checkWatched), ...fifo.flatMap((spell) => checkQueued(run, spell))];
}

function checkWatched({ name, events }: WatchedSpell): Violation[] {
  const seen = new Map<number, string>();
  return events.flatMap((event) => {
    const before = seen.get(event.object.rv);
    seen.set(event.object.rv, describeEvent(event));
    return before === undefined ? [] : [violation(name, before, describeEvent(event))];
  });
}

function checkQueued(run: Run, { name, messages }: QueuedSpell): Violation[] {
  const seen = new Map<string, SpellMessage>();
  const invoked = new Map(run.truth.changes.map(({ rv, by }) => [rv, by?.invoked]));
  return messages.flatMap((message) => {
    const { event, attempt } = message;
    if (!isChange(event)) return [];
    const key = `${attempt} ${contentKey(message)}`;
    const before = seen.get(key);
    seen.set(key, message);
    // The first send came after the request of the write, the second before its receipt.
    const sent = invoked.get(versionOf(event) ?? 0) ?? Number.NEGATIVE_INFINITY;
    if (before === undefined || event.at - sent >= DEDUPLICATED) return [];
    return [
      violation(name, ...[before, message].map((one) => `${describeEvent(one.event)} (${one.messageId})`)),
    ];
  });
}

function violation(name: string, ...evidence: string[]): Violation {
  return { check: 'unique', message: `a change was told twice: ${name}`, evidence };
}
