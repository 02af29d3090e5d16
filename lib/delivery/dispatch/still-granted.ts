import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { mapBounded } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { type Authority, authorsOf, ofTally, SCOPE_CHANGED, verdictNow } from '../authority/index.ts';
import { isTally } from '../counting/index.ts';
import { isHeld, type SubscriptionState } from '../subscription/index.ts';
import { type MembershipOptions, restart } from './membership.ts';
import { split } from './split.ts';

export interface GrantedOptions extends MembershipOptions {
  readonly store: Store;
  readonly authority: Authority;
  readonly target: TargetResource;
}

const AT_ONCE = 48;

/** The subscriptions that are about to receive changes, by the verdicts about their authors. */
export interface Granted<Member> {
  /** The subscriptions whose authors may see exactly the objects that the state rows name. */
  readonly granted: readonly Member[];
  /** Winnow sends nothing to these until their authors are seen again. */
  readonly held: readonly SubscriptionState[];
}

/**
 * Checks the authors of the subscriptions that are about to receive changes. It reads the permissions after the
 * changes. So each change is delivered under permissions that held when it was written, or later. If an author's scope
 * has changed, the subscription restarts through reconcile.
 */
export async function recheckScopes<Member extends { readonly state: SubscriptionState }>(
  options: GrantedOptions,
  members: readonly Member[],
): Promise<Granted<Member>> {
  const authors = authorsOf(members.map(({ state }) => state));
  if (authors.length === 0) return { granted: members, held: [] };
  const verdictOf = await options.authority.now(options.store, authors);
  const decided = ({ state }: Member) => {
    const verdict = verdictNow(verdictOf, state, options.target);
    return isTally(state) ? ofTally(verdict) : verdict;
  };
  const [held, others] = split(members, (one) => !isTally(one.state) && isHeld(decided(one).standing));
  const [granted, moved] = split(others, (one) => decided(one).scope === one.state.scope);
  await mapBounded(moved, AT_ONCE, ({ state }) => restart(options, state, SCOPE_CHANGED));
  return { granted, held: held.map(({ state }) => state) };
}
