import type { Store } from '../../store/index.ts';
import type { Author } from '../../watch/index.ts';
import { accountIn, SERVICE_ACCOUNTS } from '../policies/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { forbidden } from '../status/index.ts';

/** The write of a Subscription or of a Tally. */
export interface Authoring {
  readonly store: Store;
  readonly type: ResourceType;
  /** Of the object. */
  readonly name: string;
  /** By whom the request is answered; undefined of a caller who may do everything. */
  readonly author: Author | undefined;
}

/**
 * The author as it is stored: a service account with its uid, also where the caller is answered as that account.
 *
 * @throws ApiError 403 the account does not exist
 */
export async function resolveAuthor({ store, type, name, author }: Authoring): Promise<Author | undefined> {
  const account = author === undefined ? undefined : accountIn(author.username);
  if (author === undefined || account === undefined || author.uid !== undefined) return author;
  const found = await store.get(SERVICE_ACCOUNTS, account);
  if (found === undefined) {
    const which = `${account.namespace}/${account.name}`;
    throw forbidden(type, name, `the service account ${which} does not exist: create it first`);
  }
  return { ...author, uid: found.uid };
}
