import type { DispatchShard } from '../../coordination/index.ts';
import { shardName } from '../../coordination/index.ts';
import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { MEMORY } from '../../platform/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';
import { SubscriptionIndex } from './subscription-index.ts';

/**
 * The most subscriptions in the indexes of all shards together, not counting the index in use. See also
 * {@link MEMORY.indexes}.
 */
const MOST_MEMBERS = 100_000;

interface Indexed extends Pick<DispatchShard, 'group'> {
  readonly target: TargetResource;
}

/** The indexes that a process keeps between rounds, one per shard. The least recently used are dropped first. */
export class MemberIndexes {
  readonly #most: number;
  /** The least recently used first. */
  readonly #indexes = new Map<string, SubscriptionIndex>();

  constructor(most = MOST_MEMBERS) {
    this.#most = most;
  }

  /** The names of the shards that have an index, the least recently used first. */
  get groups(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** Returns the shard's index with exactly these subscriptions. */
  refreshed({ target, group }: Indexed, members: readonly SubscriptionState[]): SubscriptionIndex {
    const name = shardName({ collection: target.collection, group });
    const index = this.#indexes.get(name) ?? new SubscriptionIndex(target);
    // If the refresh fails halfway, the index is dropped.
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
