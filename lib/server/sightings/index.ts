/** Records when users make requests and which groups they have. Delivery uses these records later. */
export { Sightings } from './sightings.ts';
