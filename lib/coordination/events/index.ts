/** Events: the messages about an object that `kubectl describe` shows. */
export { recordEvent, takesObjects } from './record-event.ts';
