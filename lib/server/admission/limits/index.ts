/** LimitRanges: default resources for containers that set none, and limits. */
export { limitErrors } from './limit-errors.ts';
export { withLimits } from './with-limits.ts';
