/** Work that goes over all objects of a collection once, a stretch at a time. */
export { postingsBackfill } from './postings-backfill.ts';
