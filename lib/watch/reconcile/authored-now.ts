import type { ObjectState, Store } from '../../store/index.ts';
import { type Authority, authorIn, printAuthor, scopeNow } from '../authority/index.ts';
import type { SubscriptionSpec } from '../subscription/index.ts';

export interface AuthoredOptions {
  readonly store: Store;
  readonly authority: Authority;
}

/** By whose rights a Subscription or a Tally tells, and of which objects. */
export interface AuthoredNow {
  readonly author: string;
  readonly scope: string;
  /** The scope as it is by now: of what was read before it is asked for, whatever was revoked meanwhile. */
  again(): Promise<string>;
}

/** The rights of its author as they are now. */
export async function authoredNow(
  { store, authority }: AuthoredOptions,
  { name, body }: ObjectState,
  { target, allNamespaces, namespaceSelector }: SubscriptionSpec,
): Promise<AuthoredNow> {
  const author = printAuthor(authorIn(body));
  const { namespace } = name;
  const from = {
    author,
    namespace,
    namespaces: '',
    allNamespaces: allNamespaces || namespaceSelector !== undefined,
  };
  const again = async () => (author === '' ? '' : scopeNow(await authority.now(store), from, target));
  return { author, scope: await again(), again };
}
