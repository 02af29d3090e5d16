import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import type { Store } from '../../store/index.ts';
import { isHeld, type SubscriptionState } from '../subscription/index.ts';
import type { Author } from './author.ts';

/** The author and the collection of a delivery. */
export interface Authored {
  readonly author: Author;
  readonly target: TargetResource;
  /** The namespace of the delivered objects; `''`: several namespaces, or a cluster-scoped kind. */
  readonly namespace: string;
}

/** The decision about an author, as a state row holds it. */
export interface Verdict {
  /** The objects that may be delivered for the author (`printScope`). */
  readonly scope: string;
  /** The author's standing (`printStanding`). */
  readonly standing: string;
}

/** Returns the verdict for one of the requested authors. */
export type VerdictOf = (authored: Authored) => Verdict;

/** The permissions of authors. */
export interface Authority {
  /**
   * Returns the current verdicts for these authors. They reflect every permission that was revoked, and every account
   * that was deleted, before the call. It costs one consistent read if nothing has changed. It costs one more for all
   * service accounts together, and one more for users.
   */
  now(store: Store, authors: readonly Author[]): Promise<VerdictOf>;
}

/** The verdict without an author: all objects, and no standing. */
export const UNBOUND: Verdict = { scope: '', standing: '' };

/** The human-readable reason for a restart after a scope change. */
export const SCOPE_CHANGED = 'which objects its author may see has changed';

/** The human-readable reason why Winnow sends nothing for an author. */
export const NOT_SEEN = 'its author was not seen for too long';

/** The part of a state row's selection that defines the namespaces from which it selects. */
type Placed = Pick<SubscriptionState, 'allNamespaces' | 'namespace' | 'namespaces'>;

/** The distinct authors of states. */
export function authorsOf(states: readonly Pick<SubscriptionState, 'author'>[]): readonly Author[] {
  const printed = new Set(states.map(({ author }) => author));
  printed.delete('');
  return [...printed].map((author) => JSON.parse(author));
}

/** Returns the current verdict for a state. A state without an author may deliver all objects. */
export function verdictNow(
  verdictOf: VerdictOf,
  { author, ...placed }: Placed & { readonly author: string },
  target: TargetResource,
): Verdict {
  if (author === '') return UNBOUND;
  return verdictOf({ author: JSON.parse(author), target, namespace: namespaceOf(placed) });
}

/** The scope that contains no objects. */
const NOTHING = '[]';

/**
 * The verdict for a Tally. While Winnow holds delivery for the author, the Tally counts nothing. A Subscription keeps
 * its position instead.
 */
export function ofTally(verdict: Verdict): Verdict {
  return isHeld(verdict.standing) ? { ...verdict, scope: NOTHING } : verdict;
}

function namespaceOf({ allNamespaces, namespace, namespaces }: Placed): string {
  return allNamespaces || namespaces !== '' ? '' : namespace;
}
