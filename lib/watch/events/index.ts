/** What happened, as Kubernetes tells it: Events. */
export { eventName } from './event-name.ts';
export { eventOf, type Happening } from './event-of.ts';
export { COMPONENTS, expiryOfEvent } from './expiry-of-event.ts';
export { HAPPENINGS } from './happenings.ts';
export { type About, raiseEvent, takesObjects } from './raise-event.ts';
