import type { Collection } from '../../../lib/json/index.ts';
import type { JournalChange, Store } from '../../../lib/store/index.ts';

/**
 * A collection's changes with `after < rv <= upTo`, ascending, every one of them waited for.
 *
 * @throws {GoneError} some of them are compacted.
 */
export async function readChanges(
  store: Store,
  collection: Collection,
  { after = 1, upTo }: { readonly after?: number; readonly upTo?: number } = {},
): Promise<JournalChange[]> {
  const changes: JournalChange[] = [];
  const end = upTo ?? (await store.head(collection));
  for (let at = after; at < end; ) {
    const next = await store.nextChanges(collection, at, end);
    changes.push(...next.changes);
    at = next.upTo;
  }
  return changes;
}
