/** What LimitRanges give to pods that say nothing, and what they allow. */
export { limitErrors } from './limit-errors.ts';
export { withLimits } from './with-limits.ts';
