import type { SubscriptionRecord } from '../history.ts';
import type { Run } from './run.ts';
import { describeEvent } from './spells.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "deduplicated": each message of a FIFO queue has its own deduplication id among all messages that its
 * subscription ever sent. Otherwise SQS would drop the second of two different messages.
 */
export function checkDeduplicated({ history }: Run): Violation[] {
  return history.subscriptions.filter(({ queueType }) => queueType === 'FIFO').flatMap(checkIds);
}

function checkIds({ name, uid, messages }: SubscriptionRecord): Violation[] {
  const contents = new Map<string, string>();
  return messages.flatMap(({ event, deduplication }) => {
    const content = describeEvent(event);
    if (deduplication === undefined) return [violation(`${name} has a message without an id`, content)];
    const other = contents.get(deduplication) ?? content;
    contents.set(deduplication, other);
    if (other !== content) {
      return [violation(`${name} has two messages of the id ${deduplication}`, other, content)];
    }
    const isOwn = deduplication.startsWith(`${uid}/`);
    return isOwn ? [] : [violation(`${name} has another subscription's id ${deduplication}`, content)];
  });
}

function violation(message: string, ...evidence: string[]): Violation {
  return { check: 'deduplicated', message, evidence };
}
