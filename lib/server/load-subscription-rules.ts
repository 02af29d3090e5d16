/** Loads the rules of Subscriptions and Tallies. Writes of other kinds do not need them. */
export const loadSubscriptionRules = () => import('../kubernetes/winnow/index.ts');
