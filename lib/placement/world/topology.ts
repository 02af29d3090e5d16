import type { NodeState } from './node-state.ts';

/** The number of the empty value. Some rules read a missing label as empty. */
export const EMPTY_VALUE = 0;

/** The values of one label on the nodes, numbered. Counts by value are then arrays. */
export class Topology {
  readonly key: string;
  readonly #numbers = new Map<string, number>([['', EMPTY_VALUE]]);
  /** The number of each node's value, by slot; -1 for a node without the label. */
  ids: Int32Array;

  constructor(key: string, nodes: readonly NodeState[]) {
    this.key = key;
    this.ids = new Int32Array(Math.max(16, nodes.length * 2));
    for (const node of nodes) this.place(node);
  }

  /** The number of numbered values, including those that no node has any more. */
  get size(): number {
    return this.#numbers.size;
  }

  counts(): Float64Array {
    return new Float64Array(this.size);
  }

  /** Sets the value of a node that is new, changed, or moved to another slot. */
  place({ labels, slot }: NodeState): void {
    if (slot >= this.ids.length) {
      const longer = new Int32Array(slot * 2);
      longer.set(this.ids);
      this.ids = longer;
    }
    const value = labels.get(this.key);
    this.ids[slot] = value === undefined ? -1 : this.#numberOf(value);
  }

  idOf({ slot }: NodeState): number {
    return this.ids[slot] ?? -1;
  }

  #numberOf(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}
