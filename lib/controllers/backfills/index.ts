/** Backfills: passes over all objects of a collection, one page at a time. */
export { postingsBackfill } from './postings-backfill.ts';
