/** Limits of Subscriptions and Tallies: the bytes of their selectors, and the accounts that may receive. */
export { ruleErrors } from './rule-errors.ts';
export { readSelectedBytes } from './selected-bytes.ts';
export { SELECTOR_FIELDS, selectorsSize } from './selector-sizes.ts';
export { defaultRules, mayReceive, type Subscribing, type SubscribingRules } from './subscribing-rules.ts';
