import { type Collection, parseJournalKey } from '../store/index.ts';
import type { Hints } from './hints.ts';

/** The key of a row that was inserted, as the table's stream tells it. */
export interface InsertedKey {
  readonly pk: string;
  readonly sk: string;
}

/**
 * Puts again the hints that a writer put, or died before it could: the newest of each collection is enough,
 * for dispatch reads the journal up to it. SQS drops those it has seen.
 */
export async function relay(hints: Hints, keys: readonly InsertedKey[]): Promise<void> {
  const newest = new Map<Collection, number>();
  for (const key of keys) {
    const entry = parseJournalKey(key);
    if (entry === undefined) continue;
    newest.set(entry.collection, Math.max(entry.rv, newest.get(entry.collection) ?? 0));
  }
  await hints.send([...newest].map(([collection, rv]) => ({ collection, rv })));
}
