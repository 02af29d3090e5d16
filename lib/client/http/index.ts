export {
  type HttpSubscription,
  type HttpSubscriptionOptions,
  httpSubscription,
} from './http-subscription.ts';
export { readSelection, type Selection, type SubscriptionSpec } from './selection.ts';
