/** The validation rules of containers, and those that volumes, claims and services share with them. */
export { containers, ephemeralContainers, initContainers, PROTOCOLS, trimmedImage } from './containers.ts';
export { fieldReference, resourceReference, VOLUME_FIELDS } from './environment.ts';
export { descendingPath, noBacksteps, type Volumes } from './mounts.ts';
export {
  amountAtLeastZero,
  containerResourceName,
  containerResources,
  nanosOf,
  resourceName,
} from './resources.ts';
export { podSecurityContext } from './security-context.ts';
