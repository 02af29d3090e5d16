/** The columns of the core group's kinds. */
export { core } from './core.ts';
export { podConditions } from './pods.ts';
