import { EVENT_RECORDS, type EventRecord } from '../../kubernetes/lifecycle/index.ts';
import { isTally } from '../counting/index.ts';
import { isHeld, parseStanding, type SubscriptionState, whenItEnds, whyHeld } from '../subscription/index.ts';

type Stood = Pick<SubscriptionState, 'author' | 'standing' | 'position' | 'suspended' | 'counts'>;

/** The Events about a changed status of an author: delivery will end, has ended, or continues. */
export function standingHappenings(state: Stood, standing: string): readonly EventRecord[] {
  const before = parseStanding(state.standing);
  const now = parseStanding(standing);
  const counts = isTally(state);
  if (now?.reason === 'AuthorNotSeen') {
    return [EVENT_RECORDS.authorNotSeen(counts ? 'counting' : 'delivery', whyHeld(state, now))];
  }
  const goesOn = isHeld(state.standing) && state.suspended === 0;
  const resumed = counts ? EVENT_RECORDS.counted : EVENT_RECORDS.resumed(state.position);
  const expires =
    now?.reason === 'AuthorExpires' && before?.reason !== 'AuthorExpires'
      ? [EVENT_RECORDS.authorExpires(whenItEnds(state, now) ?? '')]
      : [];
  return [...(goesOn ? [resumed] : []), ...expires];
}
