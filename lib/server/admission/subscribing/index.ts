/** The limits of a deployment for Subscriptions and Tallies. */
export { chargeSubscribing } from './charge-subscribing.ts';
