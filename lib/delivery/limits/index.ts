/** What Subscriptions and Tallies may ask for: the bytes of their selectors, and which accounts may receive. */
export { ruleErrors } from './rule-errors.ts';
export { readSelectedBytes } from './selected-bytes.ts';
export { selectorsSize } from './selector-sizes.ts';
export { defaultRules, mayReceive, type Subscribing, type SubscribingRules } from './subscribing-rules.ts';
