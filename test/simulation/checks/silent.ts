import { TIMING } from '../../../lib/platform/index.ts';
import type { SubscriptionRecord } from '../history.ts';
import type { Run } from './run.ts';
import { describeEvent } from './spells.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "silent": while a Subscription's status says Suspended, until its resumption is requested, no message is
 * sent to its queue. Messages that were already on their way are allowed.
 */
export function checkSilent({ history }: Run): Violation[] {
  return history.subscriptions.flatMap(checkMessages);
}

function checkMessages({ name, messages, suspended = [] }: SubscriptionRecord): Violation[] {
  return messages.flatMap(({ event, sentAt = 0 }) => {
    const within = suspended.find(({ from, to }) => from + TIMING.grace < sentAt && sentAt < to);
    if (within === undefined) return [];
    const evidence = [`${describeEvent(event)}, sent at ${sentAt} of ${within.from} to ${within.to} ms`];
    return [{ check: 'silent', message: `${name} is suspended, and was sent a message`, evidence }];
  });
}
