import type { ObjectEvent } from '../../store/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';
import { editMessage } from '../event-message.ts';
import { beforeEdit, chosen, namespacesOf, type SubscriptionState } from '../subscription/index.ts';
import { withDigests } from '../tallies/index.ts';
import type { Progress } from './progress.ts';
import { type SelectedOptions, selectedPage } from './selected-page.ts';

/**
 * Sends the difference that an edit makes, for the next names after the boundary, at the position: DELETED for objects
 * that leave, ADDED for objects that enter, MODIFIED if only the payload differs. LIST answers at any resourceVersion,
 * so a repeated difference is the same.
 *
 * Returns the new boundary, undefined after the last name; and the digest there, which is valid only with this
 * boundary.
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
 * The namespaces in which two selections may differ, if they differ in namespaces only; undefined: any. Objects of the
 * namespaces in both are not read.
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

/** The events in the order of the names, so that their order does not depend on where pages end. */
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
