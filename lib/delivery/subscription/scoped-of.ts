import { type JsonObject, objectAt } from '../../json/index.ts';
import { AUTHORIZED, expiryOf, stoppedBy } from './author-conditions.ts';
import type { SubscriptionState } from './subscription-state.ts';

type Scoped = Pick<SubscriptionState, 'scope' | 'author' | 'standing'>;

/**
 * Of which objects alone it tells, as its status has it: label selectors, of which one has to match; undefined: of all
 * that it selects.
 */
export function scopeIn({ scope }: Pick<Scoped, 'scope'>): string[] | undefined {
  return scope === '' ? undefined : JSON.parse(scope);
}

/** What there is to say of its author's rights and of how long they last, as conditions. */
export function scopedOf(state: Scoped): JsonObject[] {
  const stopped = stoppedBy(state);
  return stopped === undefined ? [...withinScope(state), ...expiryOf(state)] : [stopped];
}

/** Nothing, where it tells of all that it selects. */
function withinScope(state: Scoped): JsonObject[] {
  const scope = scopeIn(state);
  if (scope === undefined) return [];
  const { username = '' } = objectAt(JSON.parse(state.author || '{}'));
  const who = `its author, User ${JSON.stringify(username)},`;
  if (scope.length === 0) {
    const message = `nothing is told: ${who} may not list and watch what it selects from`;
    return [{ type: AUTHORIZED, status: 'False', reason: 'Forbidden', message }];
  }
  const message = `${who} may list and watch only objects with labels that match ${scope.join(' || ')}`;
  return [{ type: AUTHORIZED, status: 'True', reason: 'Scoped', message }];
}
