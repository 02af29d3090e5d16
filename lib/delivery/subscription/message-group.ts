import { createHash } from 'node:crypto';
import type { ObjectName } from '../../json/index.ts';
import { nameKey } from '../../store/index.ts';
import type { SubscriptionState } from './subscription-state.ts';

/**
 * The message group of a subscription's message, within which a FIFO queue keeps the order. All messages share one
 * group. With `ordering: Object`, each object has a group, and messages without an object (bookmarks, ERRORs) share
 * one.
 */
export function messageGroup(
  { uid, byObject }: Pick<SubscriptionState, 'uid' | 'byObject'>,
  object: ObjectName | undefined,
): string {
  if (!byObject || object === undefined) return uid;
  const id = createHash('sha256').update(nameKey(object)).digest('base64url').slice(0, 22);
  return `${uid}/${id}`;
}
