import type { Author } from '../../delivery/index.ts';
import { SERVICE_ACCOUNTS } from '../../kubernetes/lifecycle/index.ts';
import type { ObjectState, Seen, Store } from '../../store/index.ts';
import { accountIn } from './service-account.ts';

/** The rows that define authors, from one consistent read. */
export interface LookedUp {
  /** The service account of a username; undefined if it does not exist. */
  account(username: string): ObjectState | undefined;
  /** The last request of a user; undefined if none is recorded yet. */
  seen(username: string): Seen | undefined;
}

/** Reads the rows that define authors: one request for all service accounts and one for all users. */
export async function lookUpAuthors(store: Store, authors: readonly Author[]): Promise<LookedUp> {
  const users = authors.filter(({ uid, principal }) => uid === undefined && principal === undefined);
  const [accounts, seen] = await Promise.all([
    readAccounts(store, authors),
    users.length === 0 ? new Map() : store.lastSeen(users.map(({ username }) => username)),
  ]);
  return { account: (username) => accounts.get(username), seen: (username) => seen.get(username) };
}

async function readAccounts(
  store: Store,
  authors: readonly Author[],
): Promise<ReadonlyMap<string, ObjectState | undefined>> {
  const held = authors.filter(({ uid }) => uid !== undefined).map(({ username }) => username);
  const accounts = [...new Set(held)].flatMap((username) => {
    const name = accountIn(username);
    return name === undefined ? [] : [{ username, collection: SERVICE_ACCOUNTS, name }];
  });
  if (accounts.length === 0) return new Map();
  const { objects } = await store.prefetch({ objects: accounts, collections: [] });
  return new Map(accounts.map(({ username }, at) => [username, objects[at]?.state]));
}
