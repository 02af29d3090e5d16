import type { Invocation, Judged, Verdict } from './types.ts';

/**
 * Decides a write by the policies that match it.
 *
 * @throws {TimeExceededError} an expression takes too long; this says nothing about the write
 */
export function judge(_invocations: readonly Invocation[], _judged: Judged): Verdict {
  throw new Error('not written yet');
}
