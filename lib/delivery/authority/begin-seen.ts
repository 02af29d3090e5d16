import type { Clock } from '../../platform/index.ts';
import { SEEN_KEPT, type Store } from '../../store/index.ts';
import type { Author } from './author.ts';

/**
 * Starts the time of users without a record of when they were seen: authors from before there were records, and users
 * that only an impersonation has shown. Their groups are those that they wrote with. What is known of the others is
 * kept while they are authors: else a user who left would begin anew when the row had gone.
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

/** Whether an author is known by name alone: neither by a uid nor by an ARN. */
export function isUser({ uid, principal }: Author): boolean {
  return uid === undefined && principal === undefined;
}
