import type { Cursor, DispatchShard } from '../../coordination/index.ts';
import { shardName } from '../../coordination/index.ts';
import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { type Clock, MEMORY, TIMING } from '../../platform/index.ts';
import type { Table } from '../../store/index.ts';
import { isTally } from '../counting/index.ts';
import { readStatesAs, type SubscriptionState, selectingHeap } from '../subscription/index.ts';

/** States kept of all groups together, beside the one in use; and see {@link MEMORY.indexes}. */
const MOST_STATES = 20_000;
/** Instead of what a Tally has counted, up to 128 KiB: who counts reads the row anew. */
const COUNTED = '{}';

interface Known {
  /** The cursor's `members` before they were read. */
  readonly version: number;
  readonly states: readonly SubscriptionState[];
  /** What they take of it, in bytes. */
  readonly heap: number;
  /** Read again a grace later under the same version. */
  readonly isConfirmed: boolean;
  /** In ms since the epoch. */
  readonly readAt: number;
}

interface ReadOptions extends Pick<DispatchShard, 'group'>, Partial<Pick<Cursor, 'until'>> {
  readonly table: Table;
  readonly clock: Clock;
  readonly target: TargetResource;
  /** The cursor's `members`, read before. */
  readonly version: number;
}

type Named = Pick<ReadOptions, 'target' | 'group'>;

/**
 * The states of the subscriptions that dispatch sends to, or may, as this process read them last; those that are
 * catching up are none of them. They are read again after the cursor's `members` rose, and once more a grace later: a
 * request that its sender gave up may be carried out after the first read.
 */
export class KnownStates {
  readonly #most: number;
  /** The longest unused first. */
  readonly #known = new Map<string, Known>();

  constructor(most = MOST_STATES) {
    this.#most = most;
  }

  async read(options: ReadOptions): Promise<readonly SubscriptionState[]> {
    const { clock, version } = options;
    const name = nameOf(options);
    const known = this.#known.get(name);
    this.#known.delete(name);
    const readAt = clock.now();
    const isSame = known?.version === version;
    const isFresh = isSame && (known.isConfirmed || readAt - known.readAt < TIMING.grace);
    const now = isFresh ? known : { version, ...measured(await read(options)), isConfirmed: isSame, readAt };
    this.#forgetAbove(this.#most);
    this.#known.set(name, now);
    return now.states;
  }

  /** They are about to change. */
  forget(group: Named): void {
    this.#known.delete(nameOf(group));
  }

  /** They were changed by the turn that raised `version`, and nobody else raised it: as good as read now. */
  keep(options: Omit<ReadOptions, 'table'>, states: readonly SubscriptionState[]): void {
    const { version, clock } = options;
    this.#known.set(nameOf(options), {
      version,
      ...measured(states),
      isConfirmed: false,
      readAt: clock.now(),
    });
  }

  #forgetAbove(most: number): void {
    let total = [...this.#known.values()].reduce((sum, { states }) => sum + states.length, 0);
    let taken = [...this.#known.values()].reduce((sum, { heap }) => sum + heap, 0);
    for (const [name, { states, heap }] of this.#known) {
      if (total <= most && taken <= MEMORY.indexes) return;
      total -= states.length;
      taken -= heap;
      this.#known.delete(name);
    }
  }
}

function measured(states: readonly SubscriptionState[]): Pick<Known, 'states' | 'heap'> {
  return { states, heap: states.reduce((sum, state) => sum + selectingHeap(state), 0) };
}

/** Without what dispatch does not go by, page by page: one tenant's large rows are never in memory together. */
function read({ table, target, group, until }: ReadOptions): Promise<readonly SubscriptionState[]> {
  return readStatesAs(table, target, {
    from: group,
    until,
    pick: (state) => {
      if (state.membership === 'catching-up') return undefined;
      return isTally(state) ? { ...state, counts: COUNTED } : state;
    },
  });
}

function nameOf({ target, group }: Named): string {
  return shardName({ collection: target.collection, group });
}
