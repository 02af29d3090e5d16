export type { Provisioned } from '../billing.ts';
export type { GrantProps } from './access.ts';
export { Subscription, type SubscriptionProps } from './subscription.ts';
export { Winnow, type WinnowProps } from './winnow.ts';
