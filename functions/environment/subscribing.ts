import type { SubscribingRules } from '../../lib/delivery/index.ts';
import { readAccountBound, readSubscribingLimits } from '../../lib/platform/index.ts';
import { optional } from './optional.ts';
import { required } from './required.ts';

/** The rules for Subscriptions and Tallies. The deployment has validated them. */
export function subscribingRules(): SubscribingRules {
  return {
    limits: readSubscribingLimits(optional('subscribingLimits')),
    bound: readAccountBound(optional('consumers') ?? 'own'),
    account: required('queueArns').split(':')[4] ?? '',
    enforced: optional('enforceLimits') === 'true',
  };
}
