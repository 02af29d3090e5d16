/** Pods near each other, and away from each other. */
export { podAffinityFilter } from './filter.ts';
export { podAffinityScore } from './score.ts';
