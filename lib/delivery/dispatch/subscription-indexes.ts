import type { DispatchShard } from '../../coordination/index.ts';
import { shardName } from '../../coordination/index.ts';
import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { MEMORY } from '../../platform/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';
import { SubscriptionIndex } from './subscription-index.ts';

/** Members in the indexes of all groups together, beside the one in use; and see {@link MEMORY.indexes}. */
const MOST_MEMBERS = 100_000;

interface Indexed extends Pick<DispatchShard, 'group'> {
  readonly target: TargetResource;
}

/** The indexes that a process keeps between turns, one a group; those longest unused go first. */
export class MemberIndexes {
  readonly #most: number;
  /** The longest unused first. */
  readonly #indexes = new Map<string, SubscriptionIndex>();

  constructor(most = MOST_MEMBERS) {
    this.#most = most;
  }

  /** The names of the groups that have an index, the longest unused first. */
  get groups(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** The group's index, with these members and no others. */
  refreshed({ target, group }: Indexed, members: readonly SubscriptionState[]): SubscriptionIndex {
    const name = shardName({ collection: target.collection, group });
    const index = this.#indexes.get(name) ?? new SubscriptionIndex(target);
    // What fails half-way is not kept.
    this.#indexes.delete(name);
    index.refresh(members);
    this.#forgetAbove(this.#most);
    this.#indexes.set(name, index);
    return index;
  }

  #forgetAbove(most: number): void {
    let total = [...this.#indexes.values()].reduce((sum, { size }) => sum + size, 0);
    let taken = [...this.#indexes.values()].reduce((sum, { heap }) => sum + heap, 0);
    for (const [name, { size, heap }] of this.#indexes) {
      if (total <= most && taken <= MEMORY.indexes) return;
      total -= size;
      taken -= heap;
      this.#indexes.delete(name);
    }
  }
}
