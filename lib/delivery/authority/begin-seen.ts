import type { Clock } from '../../platform/index.ts';
import { SEEN_KEPT, type Store } from '../../store/index.ts';
import type { Author } from './author.ts';

/**
 * Starts the last-seen time of users without a record: authors from before these records existed, and users that were
 * only impersonated. A record gets the groups of the author's last write.
 *
 * It renews the record of a user who has one, as long as the user is an author. Otherwise the row would expire, and the
 * last-seen time of a user who left would start again.
 */
export async function beginSeen(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  authors: readonly Author[],
): Promise<void> {
  const users = authors.filter(isUser);
  if (users.length === 0) return;
  const seen = await store.lastSeen(users.map(({ username }) => username));
  for (const { username, groups } of users) {
    const known = seen.get(username);
    const now = clock.now();
    if (known === undefined) {
      await store.noteSeen({ user: username, groups, at: now, before: undefined });
    } else if (known.until - now < SEEN_KEPT / 2) {
      await store.noteSeen({ ...known, user: username, before: known, keptFrom: now });
    }
  }
}

/** Whether an author is identified by name alone: neither by a uid nor by an ARN. */
export function isUser({ uid, principal }: Author): boolean {
  return uid === undefined && principal === undefined;
}
