import type { SubscribingRules } from '../../lib/delivery/index.ts';
import { readAccountBound, readSubscribingLimits } from '../../lib/platform/index.ts';
import { optional } from './optional.ts';
import { required } from './required.ts';

/** What the deployment lets Subscriptions and Tallies ask for: checked when it was deployed. */
export function subscribingRules(): SubscribingRules {
  return {
    limits: readSubscribingLimits(optional('subscribingLimits')),
    bound: readAccountBound(optional('consumers') ?? 'own'),
    account: required('queueArns').split(':')[4] ?? '',
    enforced: optional('enforceLimits') === 'true',
  };
}
