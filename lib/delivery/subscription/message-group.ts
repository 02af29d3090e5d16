import { createHash } from 'node:crypto';
import type { ObjectName } from '../../json/index.ts';
import { nameKey } from '../../store/index.ts';
import type { SubscriptionState } from './subscription-state.ts';

/**
 * The message group of what a subscription is told, within which a FIFO queue keeps the order: one for all of it, or
 * with `ordering: Object` one for each object, and one for what is of none (bookmarks, ERRORs).
 */
export function messageGroup(
  { uid, byObject }: Pick<SubscriptionState, 'uid' | 'byObject'>,
  object: ObjectName | undefined,
): string {
  if (!byObject || object === undefined) return uid;
  const id = createHash('sha256').update(nameKey(object)).digest('base64url').slice(0, 22);
  return `${uid}/${id}`;
}
