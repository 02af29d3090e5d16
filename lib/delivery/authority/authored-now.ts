import type { SubscriptionSpec } from '../../kubernetes/winnow/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { authorIn, printAuthor } from './author.ts';
import { type Authority, UNBOUND, type Verdict } from './authority.ts';

export interface AuthoredOptions {
  readonly store: Store;
  readonly authority: Authority;
}

/** By whose rights a Subscription or a Tally tells, and of which objects. */
export interface AuthoredNow extends Verdict {
  readonly author: string;
  /** The verdict as it is by now: of what was read before it is asked for, whatever was revoked meanwhile. */
  again(): Promise<Verdict>;
}

/** The rights of its author as they are now. */
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
