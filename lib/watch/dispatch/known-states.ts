import { type Clock, TIMING } from '../../platform/index.ts';
import type { Collection, Table } from '../../store/index.ts';
import type { TargetResource } from '../subscription.ts';
import { readStates, type SubscriptionState } from '../subscription-state.ts';

/** States kept of all collections together, beside the one in use. */
const MOST_STATES = 20_000;

interface Known {
  /** The cursor's `members` before they were read. */
  readonly version: number;
  readonly states: readonly SubscriptionState[];
  /** Read again a grace later under the same version. */
  readonly isConfirmed: boolean;
  /** In ms since the epoch. */
  readonly readAt: number;
}

interface ReadOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly target: TargetResource;
  /** The cursor's `members`, read before. */
  readonly version: number;
}

/**
 * The states of the subscriptions that dispatch sends to, or may, as this process read them last; those that are
 * catching up are none of them. They are read again when the cursor's `members` was raised, whoever raised it, and
 * once more a grace later: a request that its sender gave up may have been carried out after the first read.
 */
export class KnownStates {
  readonly #most: number;
  /** The longest unused first. */
  readonly #known = new Map<Collection, Known>();

  constructor(most = MOST_STATES) {
    this.#most = most;
  }

  async read({ table, clock, target, version }: ReadOptions): Promise<readonly SubscriptionState[]> {
    const { collection } = target;
    const known = this.#known.get(collection);
    this.#known.delete(collection);
    const readAt = clock.now();
    const isSame = known?.version === version;
    const isFresh = isSame && (known.isConfirmed || readAt - known.readAt < TIMING.grace);
    const now = isFresh ? known : { version, states: await read(table, target), isConfirmed: isSame, readAt };
    this.#forgetAbove(this.#most);
    this.#known.set(collection, now);
    return now.states;
  }

  /** They are about to change. */
  forget(collection: Collection): void {
    this.#known.delete(collection);
  }

  /** They were changed by the turn that raised `version`, and nobody else raised it: as good as read now. */
  keep({ target, version, clock }: Omit<ReadOptions, 'table'>, states: readonly SubscriptionState[]): void {
    this.#known.set(target.collection, { version, states, isConfirmed: false, readAt: clock.now() });
  }

  #forgetAbove(most: number): void {
    let total = [...this.#known.values()].reduce((sum, { states }) => sum + states.length, 0);
    for (const [collection, { states }] of this.#known) {
      if (total <= most) return;
      total -= states.length;
      this.#known.delete(collection);
    }
  }
}

async function read(table: Table, target: TargetResource): Promise<readonly SubscriptionState[]> {
  return (await readStates(table, target)).filter(({ membership }) => membership !== 'catching-up');
}
