/** What Kubernetes fills in where a client says nothing, kind by kind. */
export { complete } from './complete.ts';
