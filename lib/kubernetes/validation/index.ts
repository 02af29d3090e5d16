/** Kubernetes' validation of objects beyond the types of their fields, with Kubernetes' messages. */
export { objectMeta } from './metadata.ts';
export { objectErrors } from './object-errors.ts';
