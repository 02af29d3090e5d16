/** Events: what Winnow writes about an object for `kubectl describe`. */
export { raiseEvent, takesObjects } from './raise-event.ts';
