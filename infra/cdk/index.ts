/** The public API of `@winnow-dev/cdk`. */
export type { Provisioned } from '../billing.ts';
export type { GrantProps } from './access.ts';
export { Subscription, type SubscriptionProps } from './subscription.ts';
export { Winnow, type WinnowProps } from './winnow.ts';
export { type KindDefinition, WinnowKind } from './winnow-kind.ts';
