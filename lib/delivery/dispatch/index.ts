/**
 * Dispatch: one round after the other sends a collection's changes to the subscriptions that they concern, in the
 * journal's order.
 */
export { createDispatcher, type Dispatcher } from './dispatch.ts';
