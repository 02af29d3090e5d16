import type { JsonObject } from '../../json/index.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** What a Subscription, or a Tally, does no more when it is stopped. */
export type Doing = 'sent' | 'counted';

const TOLERATED = 'it was there before this rule, and works until the setting enforceLimits is true';

/** The condition `WithinLimits` of a Subscription or a Tally; none, where it breaks no rule of the deployment. */
export function withinLimitsOf(
  { violation }: Pick<SubscriptionState, 'violation'>,
  doing: Doing,
): JsonObject[] {
  if (violation === '') return [];
  const [reason = '', why = ''] = violation.split(/ (.*)/s);
  const follows = reason === 'Stopped' ? `nothing is ${doing}: the setting enforceLimits is true` : TOLERATED;
  return [{ type: 'WithinLimits', status: 'False', reason, message: `${why}; ${follows}` }];
}

/** Why nothing is sent or counted where the phase is `Suspended`, for people. */
export function whySuspended({ violation }: Pick<SubscriptionState, 'violation'>, doing: Doing): string {
  const isStopped = violation.startsWith('Stopped ');
  return `nothing is ${doing}: ${isStopped ? 'it breaks a rule, see the condition WithinLimits' : 'spec.suspend is true'}`;
}
