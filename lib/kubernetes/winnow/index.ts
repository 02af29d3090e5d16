/** The fields of Subscriptions and Tallies: their types, defaults and validation rules. */

export {
  prepareSubscription,
  QUEUE_FINALIZER,
  readSubscription,
  type TargetResources,
  validateSubscription,
} from './subscription.ts';
export type { SubscriptionSpec, TargetResource } from './subscription-spec.ts';
export {
  type Bounds,
  boundsOf,
  prepareTally,
  readTally,
  TALLY_FINALIZER,
  type TallySpec,
  validateTally,
} from './tally-spec.ts';
