import type { JsonObject } from '../../json/index.ts';
import type { SubscriptionState } from './subscription-state.ts';

const NAMESPACES = 'NamespacesFollowed';
/** The most namespaces that a condition names. */
const MOST_NAMED = 20;

/** The condition that shows which namespaces a namespaceSelector selects; empty without one. */
export function followingOf({
  namespaces,
  namespacesFailure,
}: Pick<SubscriptionState, 'namespaces' | 'namespacesFailure'>): JsonObject[] {
  if (namespaces === '') return [];
  if (namespacesFailure !== '') {
    return [{ type: NAMESPACES, status: 'False', reason: 'TooMany', message: namespacesFailure }];
  }
  const message = `selected: ${listed(JSON.parse(namespaces))}`;
  return [{ type: NAMESPACES, status: 'True', reason: 'Selected', message }];
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMED).join(', ') || 'none';
  return names.length > MOST_NAMED ? `${first} and ${names.length - MOST_NAMED} more` : first;
}
