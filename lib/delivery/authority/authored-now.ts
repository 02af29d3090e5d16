import type { SubscriptionSpec } from '../../kubernetes/winnow/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { authorIn, printAuthor } from './author.ts';
import { type Authority, UNBOUND, type Verdict } from './authority.ts';

export interface AuthoredOptions {
  readonly store: Store;
  readonly authority: Authority;
}

/** The author whose permissions limit a Subscription or a Tally, and the objects that these permissions allow. */
export interface AuthoredNow extends Verdict {
  readonly author: string;
  /** Returns the current verdict. It reflects every permission that was revoked before the call. */
  again(): Promise<Verdict>;
}

/** Returns the author's current permissions. */
export async function authoredNow(
  { store, authority }: AuthoredOptions,
  { name, body }: ObjectState,
  { target, allNamespaces, namespaceSelector }: SubscriptionSpec,
): Promise<AuthoredNow> {
  const author = authorIn(body);
  const isOfOne = !allNamespaces && namespaceSelector === undefined;
  const namespace = isOfOne ? name.namespace : '';
  const again = async () =>
    author === undefined ? UNBOUND : (await authority.now(store, [author]))({ author, target, namespace });
  return { author: printAuthor(author), ...(await again()), again };
}
