/** A LIST seen by its labels: how many objects have which value, or objects sorted by one. Loaded when it is asked. */
export { listFacets } from './list-facets.ts';
export { listSorted } from './list-sorted.ts';
