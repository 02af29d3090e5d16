/** What a pod's containers have to be, and what of it volumes, claims and services share. */
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
