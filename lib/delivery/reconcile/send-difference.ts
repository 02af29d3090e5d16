import type { ObjectEvent } from '../../store/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';
import { editMessage } from '../event-message.ts';
import { beforeEdit, chosen, namespacesOf, type SubscriptionState } from '../subscription/index.ts';
import { withDigests } from '../tallies/index.ts';
import type { Progress } from './progress.ts';
import { type SelectedOptions, selectedPage } from './selected-page.ts';

/**
 * Sends what the edit is for the next names behind the boundary, at the position: DELETED of what leaves, ADDED of
 * what enters, MODIFIED where only the payload differs. LIST answers at any resourceVersion, so a difference that is
 * repeated is the same one. Answers the new boundary, undefined behind the last name; and the tally there, which is of
 * no other place.
 *
 * @throws {GoneError} the position is too old. {@link SendRefusedError}
 */
export async function sendDifference(
  progress: Progress,
  options: SelectedOptions,
): Promise<Pick<Partial<SubscriptionState>, 'boundary' | 'tally'>> {
  const { state } = progress;
  const old = beforeEdit(state);
  const only = old && namespacesThatDiffer(old, state);
  const pageOf = (selecting: SubscriptionState) => selectedPage(options, state, { selecting, only });
  const [was, is] = await Promise.all([old && pageOf(old), pageOf(state)]);
  const ends = [was, is].flatMap((page) => (page?.next === undefined ? [] : [nameKey(page.next)])).sort();
  const [boundary] = ends;
  const within = ({ name }: ObjectState) => boundary === undefined || nameKey(name) <= boundary;
  const told = differences({
    was: (was?.items ?? []).filter(within),
    is: is.items.filter(within),
    position: state.position,
    isShownOtherwise: old !== undefined && old.payload !== state.payload,
  }).map((event) => ({ event, message: editMessage(state, event, state.position) }));
  const { messages, after } = withDigests(state.tally, told);
  if (messages.length > 0) await progress.storeQueue();
  await progress.send(messages);
  return boundary === undefined ? after() : { boundary, ...after() };
}

/**
 * The namespaces in which two selections may differ, where these are all that differs between them; undefined: any. What
 * is in both is not read for it.
 */
function namespacesThatDiffer(
  old: SubscriptionState,
  now: SubscriptionState,
): ReadonlySet<string> | undefined {
  const [was, is] = [namespacesOf(old), namespacesOf(now)];
  const isAll = chosen({ ...old, namespaces: now.namespaces }) === chosen(now);
  if (!isAll || was === undefined || is === undefined) return undefined;
  return new Set(was).symmetricDifference(new Set(is));
}

interface Compared {
  readonly was: readonly ObjectState[];
  readonly is: readonly ObjectState[];
  readonly position: number;
  readonly isShownOtherwise: boolean;
}

/** In the order of the names, so that it does not depend on where a page ends which of them comes first. */
function differences({ was, is, position, isShownOtherwise }: Compared): ObjectEvent[] {
  const known = new Set(was.map(({ name }) => nameKey(name)));
  const stays = new Set(is.map(({ name }) => nameKey(name)));
  const leaving = was.filter(({ name }) => !stays.has(nameKey(name)));
  const events = [
    ...leaving.map((object): ObjectEvent => {
      return { type: 'DELETED', object: { ...object, rv: position }, previous: object.rv };
    }),
    ...is.flatMap((object): ObjectEvent[] => {
      if (!known.has(nameKey(object.name))) return [{ type: 'ADDED', object }];
      return isShownOtherwise ? [{ type: 'MODIFIED', object, previous: object.rv }] : [];
    }),
  ];
  return events.sort((left, right) => (nameKey(left.object.name) < nameKey(right.object.name) ? -1 : 1));
}
