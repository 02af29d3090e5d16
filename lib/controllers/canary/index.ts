/** What tries a deployment every minute: an object of its own, and a Subscription that has to tell of it. */
export { type CanaryOptions, createCanary } from './canary.ts';
