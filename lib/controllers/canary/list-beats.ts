import { CANARY } from '../../platform/index.ts';
import { parseSelector } from '../../selectors/index.ts';
import type { Store } from '../../store/index.ts';
import { BEAT, beatOf } from './object.ts';

const { collection, namespace, name } = CANARY;

/**
 * Lists by this beat and the previous one. The object must match the new beat, and no longer the previous one.
 *
 * @throws {Error} the list is different.
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
