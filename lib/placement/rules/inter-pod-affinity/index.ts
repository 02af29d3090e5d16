/** The rules of pod affinity and anti-affinity. */
export { podAffinityFilter } from './filter.ts';
export { podAffinityScore } from './score.ts';
