import type { ReceivedMessage, Snapshot, SubscriptionRecord } from '../history.ts';
import type { Run } from './run.ts';
import { describeEvent } from './spells.ts';
import type { Violation } from './violation.ts';

type Change = ReceivedMessage & { readonly event: { readonly object: Snapshot } };

/**
 * Guarantee "ordered" for a queue that keeps the order of each object alone: among an object's first deliveries of one
 * attempt, (edit, resourceVersion) ascends.
 */
export function checkOrderedObjects({ history }: Run): Violation[] {
  return history.subscriptions
    .filter(({ byObject, bent, outlived }) => byObject && !bent && !outlived)
    .flatMap(checkRecord);
}

function checkRecord({ name, messages }: SubscriptionRecord): Violation[] {
  const seen = new Set<string>();
  const last = new Map<string, Change>();
  return messages.filter(isChange).flatMap((message) => {
    if (seen.has(message.messageId)) return [];
    seen.add(message.messageId);
    const { object } = message.event.object;
    const attempt = message.deduplication?.split('/').slice(0, 3).join('/');
    const before = last.get(`${attempt} ${object}`);
    last.set(`${attempt} ${object}`, message);
    if (before === undefined || ascends(before, message)) return [];
    const evidence = [before, message].map(({ event, edit }) => `edit ${edit}: ${describeEvent(event)}`);
    return [{ check: 'ordered', message: `${name} is told of ${object} out of order`, evidence }];
  });
}

function isChange(message: ReceivedMessage): message is Change {
  return 'object' in message.event;
}

function ascends(before: Change, after: Change): boolean {
  if (before.edit !== after.edit) return before.edit < after.edit;
  return before.event.object.rv <= after.event.object.rv;
}
