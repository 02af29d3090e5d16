/** Events about objects, as Kubernetes writes them, and the expiry of objects. */
export { eventName } from './event-name.ts';
export { type EventRecord, eventOf } from './event-of.ts';
export { EVENT_RECORDS } from './event-records.ts';
export { expiryOf } from './expiry-of.ts';
export { COMPONENTS, expiryOfEvent } from './expiry-of-event.ts';
export {
  CLEANUP_FINALIZER,
  DEFINITIONS,
  EVENTS,
  NAMESPACES,
  OWN_COLLECTIONS,
  SERVICE_ACCOUNTS,
  SUBSCRIPTIONS,
  TALLIES,
} from './own-collections.ts';
export { PLACEMENT_COLLECTIONS } from './placement-collections.ts';
export { isProtected, protectionOf } from './protected-collections.ts';
