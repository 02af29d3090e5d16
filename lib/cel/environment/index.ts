/** The functions that expressions may use. */
export { type EnvironmentVersion, environmentOf } from './environment.ts';
