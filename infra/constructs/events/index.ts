/** What invokes the functions that serve no requests. */
export { EventSources } from './event-sources.ts';
export { wakeEveryMinute } from './wake-every-minute.ts';
