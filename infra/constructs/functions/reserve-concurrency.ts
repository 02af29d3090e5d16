import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CONCURRENT_FUNCTIONS, type Reservations } from '../../concurrency/index.ts';
import type { WinnowFunction } from './winnow-function.ts';

/**
 * Sets the reserved concurrency of functions. `read-with-login` counts as `read`. It ignores reservations for
 * functions that this deployment does not have.
 */
export function reserveConcurrency(functions: readonly WinnowFunction[], reservations: Reservations): void {
  for (const { entryPoint, function: one } of functions) {
    const name = CONCURRENT_FUNCTIONS.find((known) => known === entryPoint.replace(/-with-login$/, ''));
    const reserved = name && reservations[name];
    if (reserved === undefined) continue;
    (one.node.defaultChild as CfnFunction).reservedConcurrentExecutions = reserved;
  }
}

/**
 * The most concurrent invocations by a queue. It is below the reservation, so that messages do not reach the
 * dead-letter queue for lack of concurrency. One execution remains for the schedule.
 */
export function pollersWithin(reserved: number | undefined, most?: number): number | undefined {
  if (reserved === undefined) return most;
  return Math.max(2, Math.min(reserved - 1, most ?? 1_000));
}
