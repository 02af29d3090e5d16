/** What a deployment lets Subscriptions and Tallies take. */
export { chargeSubscribing } from './charge-subscribing.ts';
