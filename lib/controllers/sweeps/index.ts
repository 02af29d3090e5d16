/** Work that goes over all objects of a collection once, a stretch at a time. */
export { postingsBackfill } from './carrier-sweep.ts';
