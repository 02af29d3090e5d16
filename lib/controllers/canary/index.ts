/**
 * The canary. It tests a deployment every minute with an object of its own and a Subscription that must deliver its
 * changes.
 */
export { type CanaryOptions, createCanary } from './canary.ts';
