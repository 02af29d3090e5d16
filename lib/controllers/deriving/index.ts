/** Derives data for objects, where a deployment asks for it: statuses of workloads, endpoints of services. */
export { createConcerns, createDerivation } from './derivation.ts';
export { MANAGER } from './managers.ts';
