import { type JsonObject, objectAt } from '../../json/index.ts';
import { AUTHORIZED, expiryOf, stoppedBy } from './author-conditions.ts';
import type { SubscriptionState } from './subscription-state.ts';

type Scoped = Pick<SubscriptionState, 'scope' | 'author' | 'standing'>;

/** The scope in the status: label selectors, of which one has to match; undefined: all objects that it selects. */
export function scopeIn({ scope }: Pick<Scoped, 'scope'>): string[] | undefined {
  return scope === '' ? undefined : JSON.parse(scope);
}

/** The conditions about the author's permissions and their duration. */
export function scopedOf(state: Scoped): JsonObject[] {
  const stopped = stoppedBy(state);
  return stopped === undefined ? [...withinScope(state), ...expiryOf(state)] : [stopped];
}

/** The condition that limits delivery to the scope; none if it delivers everything that it selects. */
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
