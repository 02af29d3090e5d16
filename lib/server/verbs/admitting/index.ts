/** What a write passes before it is stored: mutating webhooks, and then limits, rules and quotas. */
export { admitChanges } from './admit-changes.ts';
export { mutated } from './mutated.ts';
