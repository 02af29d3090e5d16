import type { Violation } from './checks/index.ts';
import type { Scenario } from './scenarios/index.ts';
import type { Handout, World } from './world/world.ts';

/** What a message may wait for its next try, in ms: where its function failed for the first time; where it died. */
const AT_ONCE = 1_000;
const WITHIN: Readonly<Record<string, number>> = {
  'sqs://events.fifo': 60_000,
  'sqs://reconcile.fifo': 90_000,
  'sqs://derive.fifo': 90_000,
};
/** From when a queue shows a message to when it is received. */
const PICKED_UP = 1_000;

/** SQS that throttles so much may refuse to show a message again: then it waits as if its function had died. */
const THROTTLED = 0.1;

/** A message group waits for a function that failed, or died, no longer than the runbook says; for its time, until then. */
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
