/** The cache of the objects that decide access or writes: current for each request, without a read of each object. */
export { type Current, JournalCache, type JournalCacheOptions, type Step } from './journal-cache.ts';
