import type { ObjectState, Store } from '../../store/index.ts';
import type { Author } from '../../watch/index.ts';
import { accountIn, SERVICE_ACCOUNTS } from './service-account.ts';

/** What was read of authors, consistently, when it was asked for. */
export interface LookedUp {
  /** The service account of a username, as it is; undefined: it does not exist. */
  account(username: string): ObjectState | undefined;
}

/** Reads what says who authors are now: all service accounts among them in one request; nothing where there is none. */
export async function lookUpAuthors(store: Store, authors: readonly Author[]): Promise<LookedUp> {
  const held = authors.filter(({ uid }) => uid !== undefined).map(({ username }) => username);
  const accounts = [...new Set(held)].flatMap((username) => {
    const name = accountIn(username);
    return name === undefined ? [] : [{ username, collection: SERVICE_ACCOUNTS, name }];
  });
  if (accounts.length === 0) return { account: () => undefined };
  const { objects } = await store.prefetch({ objects: accounts, collections: [] });
  const found = new Map(accounts.map(({ username }, at) => [username, objects[at]?.state]));
  return { account: (username) => found.get(username) };
}
