import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { MEMORY } from '../../platform/index.ts';
import type { JournalChange, Store } from '../../store/index.ts';
import { transition } from '../../store/index.ts';
import { eventMessage } from '../event-message.ts';
import { beforeEdit, filterOf, type SubscriptionState } from '../subscription/index.ts';
import { type Telling, withDigests } from '../tallies/index.ts';
import { fittingStretch } from './fitting-stretch.ts';
import type { Progress } from './progress.ts';

export interface FollowOptions {
  readonly store: Store;
  readonly target: TargetResource;
  /** Where to stop: at this resourceVersion, or at most `near` resourceVersions before it. */
  readonly upTo: number;
  readonly near?: number;
}

/**
 * Sends the journal's changes after the position. During an edit, names up to the boundary follow the new selection,
 * and later names follow the old one.
 *
 * @throws {GoneError} the position is compacted. {@link SendRefusedError}
 */
export async function followJournal(progress: Progress, options: FollowOptions): Promise<void> {
  const { store, target, upTo, near = 0 } = options;
  while (upTo - progress.state.position > near) {
    const { collection, position } = progress.state;
    const stretch = await store.nextChanges(collection, position, upTo);
    const { changes, upTo: reached } = fittingStretch(stretch, MEMORY.page);
    const tell = teller(progress.state, target);
    const told = changes.flatMap((change) => {
      const telling = tell(change);
      return telling === undefined ? [] : [{ rv: change.rv, ...telling }];
    });
    if (told.length > 0) await progress.storeQueue();
    const { messages, after } = withDigests(progress.state.tally, told);
    await progress.send(messages, ({ accepted }) => ({
      position: (told[accepted]?.rv ?? reached + 1) - 1,
      ...after(accepted),
    }));
    await progress.store({ position: reached, failures: 0, ...after() });
    await progress.tellQueue();
  }
}

/**
 * Returns a function from a change to its event and message; undefined: the change does not concern the subscription.
 */
function teller(state: SubscriptionState, target: TargetResource) {
  const side = (as: SubscriptionState) => ({ as, filter: filterOf(as, target) });
  const old = beforeEdit(state);
  const sides = { new: side(state), old: old && side(old) };
  return (change: JournalChange): Telling | undefined => {
    const isEdited = state.step === 'journal' || change.nameKey <= state.boundary;
    const follows = isEdited ? sides.new : sides.old;
    const event = follows && transition(change, follows.filter);
    return event && { event, message: eventMessage(follows.as, event) };
  };
}
