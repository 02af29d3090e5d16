import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import type { Store } from '../../store/index.ts';
import { isHeld, type SubscriptionState } from '../subscription/index.ts';
import type { Author } from './author.ts';

/** The author and the collection of a delivery. */
export interface Authored {
  readonly author: Author;
  readonly target: TargetResource;
  /** Whose objects are told; `''`: those of several, or of a kind that has none. */
  readonly namespace: string;
}

/** What is decided of an author, as a state row holds it. */
export interface Verdict {
  /** Of which objects the author may have told (`printScope`). */
  readonly scope: string;
  /** What there is to say of the author (`printStanding`). */
  readonly standing: string;
}

/** Decides of each of the authors that were asked for. */
export type VerdictOf = (authored: Authored) => Verdict;

/** The rights of authors. */
export interface Authority {
  /**
   * As it is now, of these authors: what was revoked, and which account was deleted, before it was asked for is not in
   * it. One consistent read, where nothing has changed; one more for all service accounts together, and one for users.
   */
  now(store: Store, authors: readonly Author[]): Promise<VerdictOf>;
}

/** Of what nobody's rights bound: all of it, and nothing is to be said. */
export const UNBOUND: Verdict = { scope: '', standing: '' };

/** Why somebody is told anew, for people. */
export const SCOPE_CHANGED = 'which objects its author may see has changed';

/** Why nothing is sent for an author, for people. */
export const NOT_SEEN = 'its author was not seen for too long';

/** The selecting half of a state row, as far as it says from where. */
type Placed = Pick<SubscriptionState, 'allNamespaces' | 'namespace' | 'namespaces'>;

/** The authors of states, each of them once. */
export function authorsOf(states: readonly Pick<SubscriptionState, 'author'>[]): readonly Author[] {
  const printed = new Set(states.map(({ author }) => author));
  printed.delete('');
  return [...printed].map((author) => JSON.parse(author));
}

/** What is decided of a state now; where it says no author, it may tell of all objects. */
export function verdictNow(
  verdictOf: VerdictOf,
  { author, ...placed }: Placed & { readonly author: string },
  target: TargetResource,
): Verdict {
  if (author === '') return UNBOUND;
  return verdictOf({ author: JSON.parse(author), target, namespace: namespaceOf(placed) });
}

/** Nothing, as a scope. */
const NOTHING = '[]';

/** The same of a Tally: of what nothing may be told nothing is counted. A Subscription is held where it is instead. */
export function ofTally(verdict: Verdict): Verdict {
  return isHeld(verdict.standing) ? { ...verdict, scope: NOTHING } : verdict;
}

function namespaceOf({ allNamespaces, namespace, namespaces }: Placed): string {
  return allNamespaces || namespaces !== '' ? '' : namespace;
}
