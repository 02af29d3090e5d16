import type { JsonObject } from '../../json/index.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** The activity that stops for a Subscription or a Tally that breaks a rule. */
export type Doing = 'delivery' | 'counting';

const TOLERATED = 'it is older than this rule, and works until the setting enforceLimits is true';

/** The condition `WithinLimits` of a Subscription or a Tally; none if it breaks no rule of the deployment. */
export function withinLimitsOf(
  { violation }: Pick<SubscriptionState, 'violation'>,
  doing: Doing,
): JsonObject[] {
  if (violation === '') return [];
  const [reason = '', why = ''] = violation.split(/ (.*)/s);
  const follows =
    reason === 'Stopped' ? `${doing} is suspended: the setting enforceLimits is true` : TOLERATED;
  return [{ type: 'WithinLimits', status: 'False', reason, message: `${why}; ${follows}` }];
}

/** The human-readable reason for the phase `Suspended`. */
export function whySuspended({ violation }: Pick<SubscriptionState, 'violation'>, doing: Doing): string {
  const isStopped = violation.startsWith('Stopped ');
  return `${doing} is suspended: ${isStopped ? 'it breaks a rule; see the condition WithinLimits' : 'spec.suspend is true'}`;
}
