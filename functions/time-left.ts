import type { Context } from 'aws-lambda';
import { type Clock, TIMING } from '../lib/platform/index.ts';

/** What an invocation keeps to end cleanly: the last events, a bookmark, which messages are to come again. */
const MARGIN = 2_000;

/** Milliseconds that work may take: what the invocation has left, less a margin to end cleanly. */
export function timeLeft(context: Pick<Context, 'getRemainingTimeInMillis'>): number {
  return Math.max(0, context.getRemainingTimeInMillis() - MARGIN);
}

/** Aborts when a buffered answer has to be ready. */
export function bufferedDeadline(
  context: Pick<Context, 'getRemainingTimeInMillis'>,
  clock: Clock,
): AbortSignal {
  return clock.deadline(Math.min(TIMING.request, timeLeft(context)));
}
