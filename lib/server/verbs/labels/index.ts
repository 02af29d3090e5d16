/** LIST variants by label: counts of label values, and objects sorted by a label. Loaded when needed. */
export { listFacets } from './list-facets.ts';
export { listSorted } from './list-sorted.ts';
