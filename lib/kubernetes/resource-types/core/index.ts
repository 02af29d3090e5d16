/** The resource types of the core group. */
export { core } from './core.ts';
