export type { Provisioned } from '../billing.ts';
export { Subscription, type SubscriptionProps } from './subscription.ts';
export { Winnow, type WinnowProps } from './winnow.ts';
