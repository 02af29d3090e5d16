/** What reads and judges Subscriptions; on demand, so that who writes other objects does not load it. */
export const loadSubscriptions = () => import('./subscription/index.ts');
