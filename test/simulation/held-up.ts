import { TIMING } from '../../lib/platform/index.ts';
import type { Violation } from './checks/index.ts';
import type { World } from './world/world.ts';

/**
 * The longest time in ms that one batch may hold up a round of dispatch before any queue has answered in that round.
 */
const LONGEST = TIMING.grace + 400;

/**
 * Checks that a queue that does not answer holds up no round of dispatch for long. It also must not hold up another
 * round until reconcile has sent the messages that the queue did not take.
 */
export function heldUp({ queues }: World): Violation[] {
  const queued = Map.groupBy(queues.trials, ({ url }) => url);
  return [...queued.values()].flatMap((trials) =>
    trials.flatMap((trial, index) => {
      if (!trial.isStalled || !isDispatch(trial)) return [];
      const next = trials[index + 1];
      const isLong = trial.to - trial.from > LONGEST;
      const isAgain = next !== undefined && isDispatch(next);
      const evidence = [`${trial.url}, by ${trial.by} from ${trial.from} to ${trial.to} ms`];
      const violation = (message: string): Violation => ({ check: 'unhindered', message, evidence });
      return [
        ...(isLong ? [violation('a turn waited for a queue that did not answer')] : []),
        ...(isAgain ? [violation('a turn was the next to send to a queue that did not answer one')] : []),
      ];
    }),
  );
}

function isDispatch({ by }: { readonly by: string }): boolean {
  return by.startsWith('dispatch');
}
