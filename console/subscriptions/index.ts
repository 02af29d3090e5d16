/** The view of Subscriptions: what each one delivers, how far it is, and how to read its queue. */
export { SubscriptionsView } from './subscriptions-view.tsx';
