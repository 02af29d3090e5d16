/** Which users ask, and in which groups they are, is noted for what is delivered to them later. */
export { Sightings } from './sightings.ts';
