import { MEMORY } from '../../platform/index.ts';
import { type ListPage, nameKey, type ObjectState, parseNameKey, type Store } from '../../store/index.ts';
import { editMessage } from '../event-message.ts';
import type { TargetResource } from '../subscription.ts';
import { beforeEdit, filterOf, type SubscriptionState } from '../subscription-state.ts';
import type { ObjectEvent } from '../transition.ts';
import type { Progress } from './progress.ts';

const PAGE = 100;

export interface DifferenceOptions {
  readonly store: Store;
  readonly target: TargetResource;
  /** Objects in one page of what was selected, and in one of what is: 100, where nothing else is said. */
  readonly page?: number | undefined;
}

/**
 * Sends what the edit is for the next names behind the boundary, at the position: DELETED of what leaves, ADDED of
 * what enters, MODIFIED where only the payload differs. LIST answers at any resourceVersion, so a difference that is
 * repeated is the same one. Answers the new boundary; undefined behind the last name.
 *
 * @throws {GoneError} the position is too old. {@link SendRefusedError}
 */
export async function sendDifference(
  progress: Progress,
  options: DifferenceOptions,
): Promise<string | undefined> {
  const { state } = progress;
  const old = beforeEdit(state);
  const [was, is] = await Promise.all([old && pageOf(options, state, old), pageOf(options, state, state)]);
  const ends = [was, is].flatMap((page) => (page?.next === undefined ? [] : [nameKey(page.next)])).sort();
  const [boundary] = ends;
  const within = ({ name }: ObjectState) => boundary === undefined || nameKey(name) <= boundary;
  const messages = differences({
    was: (was?.items ?? []).filter(within),
    is: is.items.filter(within),
    position: state.position,
    isShownOtherwise: old !== undefined && old.payload !== state.payload,
  }).map((event) => editMessage(state, event, state.position));
  if (messages.length > 0) await progress.storeQueue();
  await progress.send(messages);
  return boundary;
}

/** The next objects that one selection selects at the position. */
function pageOf(
  { store, target, page: limit = PAGE }: DifferenceOptions,
  { collection, position, boundary }: SubscriptionState,
  selecting: SubscriptionState,
): Promise<ListPage> {
  const after = boundary === '' ? undefined : parseNameKey(boundary);
  const bounds = { at: position, after, limit, mostHeap: MEMORY.page / 2 };
  return store.list(collection, { ...filterOf(selecting, target), ...bounds });
}

interface Compared {
  readonly was: readonly ObjectState[];
  readonly is: readonly ObjectState[];
  readonly position: number;
  readonly isShownOtherwise: boolean;
}

/** In the order of the names: first what leaves, then what is there. */
function differences({ was, is, position, isShownOtherwise }: Compared): ObjectEvent[] {
  const known = new Set(was.map(({ name }) => nameKey(name)));
  const stays = new Set(is.map(({ name }) => nameKey(name)));
  const leaving = was.filter(({ name }) => !stays.has(nameKey(name)));
  return [
    ...leaving.map((object): ObjectEvent => ({ type: 'DELETED', object: { ...object, rv: position } })),
    ...is.flatMap((object): ObjectEvent[] => {
      if (!known.has(nameKey(object.name))) return [{ type: 'ADDED', object }];
      return isShownOtherwise ? [{ type: 'MODIFIED', object }] : [];
    }),
  ];
}
