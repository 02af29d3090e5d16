import type { NodeState } from './node-state.ts';

/** A count for each node. Nodes with a count of 0 have no entry. */
export class NodeCounts {
  readonly #counts = new Map<NodeState, number>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(node: NodeState, by: 1 | -1): void {
    const count = (this.#counts.get(node) ?? 0) + by;
    if (count === 0) {
      this.#counts.delete(node);
    } else {
      this.#counts.set(node, count);
    }
  }

  /**
   * Adds `weight` times the count of each node to the counter of the node's value. Returns whether a node had the
   * label.
   */
  countInto(counts: Float64Array, ids: Int32Array, weight = 1): boolean {
    let any = false;
    for (const [{ slot }, count] of this.#counts) {
      const id = slot < 0 ? -1 : (ids[slot] ?? -1);
      if (id < 0) continue;
      any = true;
      counts[id] = (counts[id] ?? 0) + weight * count;
    }
    return any;
  }

  /** Adds the count of each node to the array, at the node's slot. */
  countByNode(counts: Float64Array): void {
    for (const [{ slot }, count] of this.#counts) {
      if (slot >= 0) counts[slot] = (counts[slot] ?? 0) + count;
    }
  }
}
