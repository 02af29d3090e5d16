import type { Store } from '../../store/index.ts';
import type { SubscriptionState, TargetResource } from '../subscription/index.ts';
import type { Author } from './author.ts';

/** By whom and from where somebody is told. */
export interface Authored {
  readonly author: Author;
  readonly target: TargetResource;
  /** Whose objects are told; `''`: those of several, or of a kind that has none. */
  readonly namespace: string;
}

/** Of which objects somebody may have told, as a state row holds it (`printScope`). */
export type ScopeOf = (authored: Authored) => string;

/** Who may have told what. */
export interface Authority {
  /**
   * As it is now: whatever was revoked before it was asked for is not in it. One consistent read, where nothing has
   * changed.
   */
  now(store: Store): Promise<ScopeOf>;
}

/** Why somebody is told anew, for people. */
export const REGRANTED = 'which objects its author may see has changed';

/** The selecting half of a state row, as far as it says from where. */
type Placed = Pick<SubscriptionState, 'allNamespaces' | 'namespace' | 'namespaces'>;

/** Of which objects a state may tell now; where it says no author, of all. */
export function scopeNow(
  scopeOf: ScopeOf,
  { author, ...placed }: Placed & { readonly author: string },
  target: TargetResource,
): string {
  if (author === '') return '';
  return scopeOf({ author: JSON.parse(author), target, namespace: namespaceOf(placed) });
}

function namespaceOf({ allNamespaces, namespace, namespaces }: Placed): string {
  return allNamespaces || namespaces !== '' ? '' : namespace;
}
