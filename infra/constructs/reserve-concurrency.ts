import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CONCURRENT_FUNCTIONS, type Reservations } from '../concurrency/index.ts';
import type { WinnowFunction } from './winnow-function.ts';

/**
 * Reserves concurrency for the functions that have a reservation. `read-with-login` and `read` are the same here.
 * Functions that this deployment does not have are passed over.
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
 * How many invocations a queue may start at the same time. Below the reservation, so that SQS does not set messages aside
 * for which only the concurrency was missing; one execution is left for the schedule.
 */
export function pollersWithin(reserved: number | undefined, most?: number): number | undefined {
  if (reserved === undefined) return most;
  return Math.max(2, Math.min(reserved - 1, most ?? 1_000));
}
