/** Events: what Winnow writes about an object for `kubectl describe`. */
export { recordEvent, takesObjects } from './record-event.ts';
