import type { Violation } from './checks/index.ts';
import type { Scenario } from './scenarios/index.ts';
import type { Handout, World } from './world/world.ts';

/**
 * The longest time in ms until the next try of a message: after the first failure of its function, and after a crash.
 */
const AT_ONCE = 1_000;
const WITHIN: Readonly<Record<string, number>> = {
  'sqs://events.fifo': 60_000,
  'sqs://reconcile.fifo': 90_000,
  'sqs://derive.fifo': 90_000,
};
/** The time in ms from when a queue shows a message to when it is received. */
const PICKED_UP = 1_000;

/** From this rate on, throttled SQS may refuse to show a message again. It then waits as after a crash. */
const THROTTLED = 0.1;

/**
 * Checks that no message group waits longer than the runbook says after its function failed or crashed. A message that
 * is due later may wait until it is due.
 */
export function givenBack({ handouts }: World, { faults }: Scenario): Violation[] {
  const isShown = faults.throttle < THROTTLED;
  const tries = Map.groupBy(handouts, ({ queue, messageId }) => `${queue} ${messageId}`);
  return [...tries.values()].flatMap((all) =>
    all.flatMap((one, index) => {
      const next = all[index + 1];
      return next === undefined ? [] : late(one, next, isShown);
    }),
  );
}

function late(one: Handout, next: Handout, isShown: boolean): Violation[] {
  const { queue, receives, failed, at, due = 0 } = one;
  const within = isShown && failed !== undefined && receives === 1 ? AT_ONCE : (WITHIN[queue] ?? 0);
  if (next.at - Math.max(failed ?? at, due) <= within + PICKED_UP) return [];
  const evidence = [`${one.messageId} of ${one.queue}, received at ${one.at}, and again at ${next.at} ms`];
  return [{ check: 'given-back', message: 'a message group waited too long for its next try', evidence }];
}
