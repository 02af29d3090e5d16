export {
  type HttpSubscription,
  type HttpSubscriptionOptions,
  httpSubscription,
} from './http-subscription.ts';
