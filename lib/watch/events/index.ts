/** TODO */
export { raiseEvent, takesObjects } from './raise-event.ts';
