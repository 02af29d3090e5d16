import { mapBounded } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { type Authority, authorsOf, REGRANTED, verdictNow } from '../authority/index.ts';
import type { SubscriptionState, TargetResource } from '../subscription/index.ts';
import { type MembershipOptions, restart } from './membership.ts';
import { split } from './split.ts';

export interface GrantedOptions extends MembershipOptions {
  readonly store: Store;
  readonly authority: Authority;
  readonly target: TargetResource;
}

const AT_ONCE = 48;

/**
 * Of those that are about to be told, the ones whose author may see just the objects that their states say. Asked after
 * the changes were read: so each change is told by rights that held when it was written, or later. The others begin
 * anew, with reconcile.
 */
export async function stillGranted<Member extends { readonly state: SubscriptionState }>(
  options: GrantedOptions,
  members: readonly Member[],
): Promise<readonly Member[]> {
  const authors = authorsOf(members.map(({ state }) => state));
  if (authors.length === 0) return members;
  const verdictOf = await options.authority.now(options.store, authors);
  const [granted, others] = split(
    members,
    ({ state }) => verdictNow(verdictOf, state, options.target).scope === state.scope,
  );
  await mapBounded(others, AT_ONCE, ({ state }) => restart(options, state, REGRANTED));
  return granted;
}
