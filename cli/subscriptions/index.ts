/** The commands `subscriptions` and `subscriptions revoke`. */
export { addSubscriptions } from './command.ts';
