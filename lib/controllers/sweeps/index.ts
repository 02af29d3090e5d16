/** Work that goes over all objects of a collection once, a stretch at a time. */
export { carrierSweep } from './carrier-sweep.ts';
