/** The functions that expressions may use. */
export { type EnvironmentVersion, environmentOf } from './environment.ts';
export { functionsIn } from './signature.ts';
