/** The rules of topology spread constraints: pods spread over zones, hosts or other labels of nodes. */
export { spreadFilter } from './filter.ts';
export { spreadScore } from './score.ts';
