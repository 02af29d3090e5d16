/** The fields of Subscriptions and Tallies: their types, their defaults and their rules. */
export { prepareSubscription, validateSubscription } from './subscription.ts';
export { prepareTally, validateTally } from './tally-spec.ts';
