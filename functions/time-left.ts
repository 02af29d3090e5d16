import type { Context } from 'aws-lambda';
import { type Clock, TIMING } from '../lib/platform/index.ts';

/**
 * The time that an invocation needs to end cleanly, in ms: for the last events, a bookmark, and the failed messages.
 */
const MARGIN = 2_000;

/** The time for work in ms: the remaining time of the invocation less a margin to end cleanly. */
export function timeLeft(context: Pick<Context, 'getRemainingTimeInMillis'>): number {
  return Math.max(0, context.getRemainingTimeInMillis() - MARGIN);
}

/** A signal that aborts when a buffered answer must be ready. */
export function bufferedDeadline(
  context: Pick<Context, 'getRemainingTimeInMillis'>,
  clock: Clock,
): AbortSignal {
  return clock.deadline(Math.min(TIMING.request, timeLeft(context)));
}
