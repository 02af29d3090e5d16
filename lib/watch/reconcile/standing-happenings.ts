import { HAPPENINGS, type Happening } from '../events/index.ts';
import { isHeld, parseStanding, type SubscriptionState, whenItEnds, whyHeld } from '../subscription/index.ts';

/** What people are to hear of an author of whom something else is said now: that delivery ends, has ended, goes on. */
export function standingHappenings(
  state: Pick<SubscriptionState, 'author' | 'standing' | 'position'>,
  standing: string,
): readonly Happening[] {
  const before = parseStanding(state.standing);
  const now = parseStanding(standing);
  if (now?.reason === 'AuthorNotSeen') return [HAPPENINGS.authorNotSeen(whyHeld(state, now))];
  const resumed = isHeld(state.standing) ? [HAPPENINGS.resumed(state.position)] : [];
  if (now?.reason !== 'AuthorExpires' || before?.reason === 'AuthorExpires') return resumed;
  return [...resumed, HAPPENINGS.authorExpires(whenItEnds(state, now) ?? '')];
}
