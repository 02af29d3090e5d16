/** What a deployment lets Subscriptions and Tallies take. */
export { type ChargeSubscribingRequest, chargeSubscribing } from './charge-subscribing.ts';
