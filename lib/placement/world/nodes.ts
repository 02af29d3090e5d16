import { NodeState } from './node-state.ts';
import { Topology } from './topology.ts';

/** Of more labels than so many nobody keeps the values: they are read again when they are asked for. */
const MOST_TOPOLOGIES = 64;
/** How many numbers a topology may have for each node, before those that no node has are forgotten. */
const MOST_NUMBERS = 4;

/** The nodes of the world. Each has a slot: what rules count for it stands there in their arrays. */
export class Nodes {
  readonly #states = new Map<string, NodeState>();
  readonly #present: NodeState[] = [];
  readonly #freeSlots: number[] = [];
  readonly #topologies = new Map<string, Topology>();
  #slots = 0;

  /** Those that there are, by name. */
  get present(): readonly NodeState[] {
    return this.#present;
  }

  /** Every slot is below. */
  get slots(): number {
    return this.#slots;
  }

  find(name: string): NodeState | undefined {
    const node = this.#states.get(name);
    return node !== undefined && node.slot >= 0 ? node : undefined;
  }

  /** The node of a pod, there or not. */
  expect(name: string): NodeState {
    const node = this.#states.get(name) ?? new NodeState(name);
    this.#states.set(name, node);
    return node;
  }

  /** A node came or changed. */
  place(node: NodeState): void {
    if (node.slot < 0) {
      node.slot = this.#freeSlots.pop() ?? this.#slots++;
      this.#present.splice(this.#positionOf(node.name), 0, node);
    }
    for (const topology of this.#topologies.values()) topology.place(node);
  }

  /** A node went. */
  withdraw(node: NodeState): void {
    this.#present.splice(this.#positionOf(node.name), 1);
    this.#freeSlots.push(node.slot);
    node.slot = -1;
    this.forgetIfGone(node);
  }

  forgetIfGone(node: NodeState): void {
    if (node.isGone) this.#states.delete(node.name);
  }

  topology(key: string): Topology {
    const known = this.#topologies.get(key);
    if (known !== undefined && known.size <= MOST_NUMBERS * (this.#present.length + 16)) return known;
    if (this.#topologies.size >= MOST_TOPOLOGIES) this.#topologies.clear();
    const topology = new Topology(key, this.#present);
    this.#topologies.set(key, topology);
    return topology;
  }

  /** Of the first node whose name is not less. */
  #positionOf(name: string): number {
    let low = 0;
    let high = this.#present.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#present[middle]?.name ?? '') < name) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
