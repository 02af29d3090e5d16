/** Kubernetes' defaults, kind by kind. */
export { complete } from './complete.ts';
