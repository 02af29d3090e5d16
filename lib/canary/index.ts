/** What tries a deployment every minute: an object of its own, and a Subscription that has to tell of it. */
export { type BeatRequest, type Canary, type CanaryOptions, createCanary } from './canary.ts';
