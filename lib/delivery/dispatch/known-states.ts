import type { Cursor, DispatchShard } from '../../coordination/index.ts';
import { shardName } from '../../coordination/index.ts';
import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { type Clock, MEMORY, TIMING } from '../../platform/index.ts';
import type { Table } from '../../store/index.ts';
import { isTally } from '../counting/index.ts';
import { readStatesAs, type SubscriptionState, selectingHeap } from '../subscription/index.ts';

/** The most cached states of all shards together, not counting the shard in use. See also {@link MEMORY.indexes}. */
const MOST_STATES = 20_000;
/** Replaces the counts of a Tally, which take up to 128 KiB. The function that counts reads the row again. */
const COUNTED = '{}';

interface Known {
  /** The cursor's `members` before the states were read. */
  readonly version: number;
  readonly states: readonly SubscriptionState[];
  /** The heap that the states take of {@link MEMORY.indexes}, in bytes. */
  readonly heap: number;
  /** Whether they were read again under the same version, one grace later. */
  readonly isConfirmed: boolean;
  /** When they were read, in ms since the epoch. */
  readonly readAt: number;
}

interface ReadOptions extends Pick<DispatchShard, 'group'>, Partial<Pick<Cursor, 'until'>> {
  readonly table: Table;
  readonly clock: Clock;
  readonly target: TargetResource;
  /** The cursor's `members`, read before the states. */
  readonly version: number;
}

type Named = Pick<ReadOptions, 'target' | 'group'>;

/**
 * A cache of the subscription states that dispatch sends to or may activate. It excludes states that are catching up.
 *
 * It reads them again after the cursor's `members` rose, and once more one grace later. DynamoDB may carry out a
 * request after the first read, even if its sender gave up on it.
 */
export class KnownStates {
  readonly #most: number;
  /** The least recently used first. */
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

  /** Drops the states of a shard before they change. */
  forget(group: Named): void {
    this.#known.delete(nameOf(group));
  }

  /**
   * Caches states that the round changed itself when it raised `version`. No other process raised it, so these states
   * are current.
   */
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

/**
 * Reads the states page by page and drops what dispatch does not use. So the large rows of one tenant are never in
 * memory together.
 */
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
