/** What Kubernetes asks of an object beyond its fields' types, in its own words. */
export { objectMeta } from './metadata.ts';
export { objectErrors } from './object-errors.ts';
export { warningsOf } from './warnings.ts';
