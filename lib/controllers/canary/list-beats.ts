import { CANARY } from '../../platform/index.ts';
import { parseSelector } from '../../selectors/index.ts';
import type { Store } from '../../store/index.ts';
import { BEAT, beatOf } from './object.ts';

const { collection, namespace, name } = CANARY;

/**
 * Lists by this beat and the one before: the object has begun to match the one, and stopped matching the other.
 *
 * @throws {Error} the list is another.
 */
export async function listBeats(
  store: Store,
  { beat, before = beat }: { readonly beat: string; readonly before: string | undefined },
): Promise<void> {
  const selector = parseSelector(`${BEAT} in (${before}, ${beat})`);
  const { items } = await store.list(collection, { namespace, selector });
  const listed = items.map((item) => `${item.name.name} of ${beatOf(item)}`);
  const due = `${name} of ${beat}`;
  if (listed.length === 1 && listed[0] === due) return;
  throw new Error(`the list is ${listed.join(', ') || 'empty'}, and not ${due}`);
}
