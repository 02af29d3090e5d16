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
  const who = `the author, user ${JSON.stringify(username)},`;
  if (scope.length === 0) {
    const message = `no changes are delivered: ${who} may not list and watch the selected objects`;
    return [{ type: AUTHORIZED, status: 'False', reason: 'Forbidden', message }];
  }
  const message = `delivery is limited to objects that ${who} may list and watch: ${scope.join(' || ')}`;
  return [{ type: AUTHORIZED, status: 'True', reason: 'Scoped', message }];
}
