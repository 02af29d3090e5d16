import { TIMING } from '../../lib/platform/index.ts';
import type { Violation } from './checks/index.ts';
import type { World } from './world/world.ts';

/** How long one batch may hold up a turn of dispatch, in ms: where the turn has none that was answered, and a look. */
const LONGEST = TIMING.grace + 400;

/**
 * A queue that does not answer holds up no turn of dispatch for long, nor another one until reconcile has sent to it
 * what it did not take.
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
