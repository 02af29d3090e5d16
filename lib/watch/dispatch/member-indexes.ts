import type { Collection } from '../../store/index.ts';
import type { TargetResource } from '../subscription.ts';
import type { SubscriptionState } from '../subscription-state.ts';
import { MemberIndex } from './member-index.ts';

/** Members in the indexes of all collections together, beside the one in use. */
const MOST_MEMBERS = 100_000;

/** The indexes that a process keeps between turns, one a collection; those longest unused go first. */
export class MemberIndexes {
  readonly #most: number;
  /** The longest unused first. */
  readonly #indexes = new Map<Collection, MemberIndex>();

  constructor(most = MOST_MEMBERS) {
    this.#most = most;
  }

  /** The collections that have an index, the longest unused first. */
  get collections(): readonly Collection[] {
    return [...this.#indexes.keys()];
  }

  /** The collection's index, with these members and no others. */
  refreshed(target: TargetResource, members: readonly SubscriptionState[]): MemberIndex {
    const index = this.#indexes.get(target.collection) ?? new MemberIndex(target);
    // What fails half-way is not kept.
    this.#indexes.delete(target.collection);
    index.refresh(members);
    this.#forgetAbove(this.#most);
    this.#indexes.set(target.collection, index);
    return index;
  }

  #forgetAbove(most: number): void {
    let total = [...this.#indexes.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [collection, { size }] of this.#indexes) {
      if (total <= most) return;
      total -= size;
      this.#indexes.delete(collection);
    }
  }
}
