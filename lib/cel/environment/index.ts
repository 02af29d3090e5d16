export { type EnvironmentVersion, environmentOf } from './environment.ts';
