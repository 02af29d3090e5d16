/** Pods spread over zones, hosts or whatever nodes have in common. */
export { spreadFilter } from './filter.ts';
export { spreadScore } from './score.ts';
