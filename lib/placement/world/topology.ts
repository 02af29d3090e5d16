import type { NodeState } from './node-state.ts';

/** The number of the empty value, which is also what a node has whose missing label is read as empty. */
export const EMPTY_VALUE = 0;

/** The values that one label has on the nodes, as numbers, so that counting by value is counting in an array. */
export class Topology {
  readonly key: string;
  readonly #numbers = new Map<string, number>([['', EMPTY_VALUE]]);
  /** The number of each node's value, by slot; -1 of a node without the label. */
  ids: Int32Array;

  constructor(key: string, nodes: readonly NodeState[]) {
    this.key = key;
    this.ids = new Int32Array(Math.max(16, nodes.length * 2));
    for (const node of nodes) this.place(node);
  }

  /** How many numbers there are; those of values that no node has any more among them. */
  get size(): number {
    return this.#numbers.size;
  }

  counts(): Float64Array {
    return new Float64Array(this.size);
  }

  /** A node came, changed, or stands at another slot. */
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
