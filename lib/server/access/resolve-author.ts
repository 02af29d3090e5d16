import { type Author, noSuchAccount, serviceAccountOf } from '../../delivery/index.ts';
import { collectionOf, type JsonObject, objectAt } from '../../json/index.ts';
import { SERVICE_ACCOUNTS, SUBSCRIPTIONS } from '../../kubernetes/lifecycle/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { IDENTITY_SCHEMA, type Store } from '../../store/index.ts';
import { accountGroups, accountIn, accountUsername } from '../policies/index.ts';
import { forbidden, invalid } from '../status/index.ts';

/** The write of a Subscription or a Tally. */
export interface Authoring {
  readonly store: Store;
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly body: JsonObject;
  /** The effective user of the request; undefined for members of `system:masters`. */
  readonly author: Author | undefined;
}

const SECRETS = collectionOf('', 'secrets');
const TOO_OLD = `spec.serviceAccountName needs row schema version ${IDENTITY_SCHEMA}. Ask an administrator to run: winnow upgrade --raise`;
const NOT_OF_SECRETS =
  'a Subscription of Secrets ends when its author is removed, so the author must be a service account, an IAM ' +
  'principal or an administrator; set spec.serviceAccountName to a service account of this namespace that may list ' +
  'and watch Secrets';

/**
 * The author to store: the service account that `spec.serviceAccountName` names, or else the caller. If the author is a
 * service account, it always has a uid, even if the caller only impersonates it.
 *
 * @throws ApiError 403 the caller's own service account does not exist
 * @throws ApiError 403 the author of a Subscription of Secrets would be known only by name ({@link isUser})
 * @throws ApiError 422 the named service account does not exist
 */
export async function resolveAuthor(authoring: Authoring): Promise<Author | undefined> {
  const { type, name, body, author } = authoring;
  const runsAs = serviceAccountOf(body);
  if (runsAs !== undefined) return namedAccount(authoring, runsAs);
  const resolved = await withUid(authoring);
  if (isUser(author) && collectionOfType(type) === SUBSCRIPTIONS && isOfSecrets(body)) {
    throw forbidden(type, name, NOT_OF_SECRETS);
  }
  return resolved;
}

/** Whether an author is known only by a username and groups, for which Winnow has no object to look up. */
export function isUser(author: Author | undefined): author is Author {
  return author !== undefined && author.principal === undefined && accountIn(author.username) === undefined;
}

async function namedAccount({ store, type, namespace, name }: Authoring, account: string): Promise<Author> {
  const found = await store.get(SERVICE_ACCOUNTS, { namespace, name: account });
  if (found === undefined) throw invalid(type, name, [noSuchAccount(account)]);
  if ((await store.schema()) < IDENTITY_SCHEMA) throw forbidden(type, name, TOO_OLD);
  const username = accountUsername({ namespace, name: account });
  return { username, groups: accountGroups(namespace), uid: found.uid };
}

async function withUid({ store, type, name, author }: Authoring): Promise<Author | undefined> {
  const account = author === undefined ? undefined : accountIn(author.username);
  if (author === undefined || account === undefined || author.uid !== undefined) return author;
  const found = await store.get(SERVICE_ACCOUNTS, account);
  if (found === undefined) {
    const which = `${account.namespace}/${account.name}`;
    throw forbidden(type, name, `the service account ${which} does not exist; create it first`);
  }
  return { ...author, uid: found.uid };
}

function isOfSecrets({ spec }: JsonObject): boolean {
  const { group = '', resource = '' } = objectAt(objectAt(spec).resource);
  return collectionOf(String(group), String(resource)) === SECRETS;
}
