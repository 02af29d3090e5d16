import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import type { Author } from './author.ts';

/**
 * Has the time of users begin now, of whom it is not known when they were seen: those who wrote before that was noted,
 * and those whom nobody but an impersonation has shown. Their groups are those that they wrote with.
 */
export async function beginSeen(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  authors: readonly Author[],
): Promise<void> {
  const users = authors.filter(isUser);
  if (users.length === 0) return;
  const seen = await store.lastSeen(users.map(({ username }) => username));
  for (const { username, groups } of users) {
    if (seen.has(username)) continue;
    await store.noteSeen({ user: username, groups, at: clock.now(), before: undefined });
  }
}

/** Whether an author is known by name alone: neither by a uid nor by an ARN. */
export function isUser({ uid, principal }: Author): boolean {
  return uid === undefined && principal === undefined;
}
