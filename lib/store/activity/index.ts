/** The row that tells the tick that something may have been written. */
export { createWriteMark, readActivity, type WriteMark } from './activity.ts';
