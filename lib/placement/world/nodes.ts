import { NodeState } from './node-state.ts';
import { Topology } from './topology.ts';

/** The most labels whose values are cached. Values of further labels are read on each use. */
const MOST_TOPOLOGIES = 64;
/** A topology is rebuilt when it has this many numbered values for each node. */
const MOST_NUMBERS = 4;

/** The nodes of the world. Each has a slot, its index in the arrays of the rules. */
export class Nodes {
  readonly #states = new Map<string, NodeState>();
  readonly #present: NodeState[] = [];
  readonly #freeSlots: number[] = [];
  readonly #topologies = new Map<string, Topology>();
  #slots = 0;

  /** The existing nodes, sorted by name. */
  get present(): readonly NodeState[] {
    return this.#present;
  }

  /** One more than the highest slot. */
  get slots(): number {
    return this.#slots;
  }

  find(name: string): NodeState | undefined {
    const node = this.#states.get(name);
    return node !== undefined && node.slot >= 0 ? node : undefined;
  }

  /** Returns the state of a node by name; creates it if a pod comes before its node. */
  expect(name: string): NodeState {
    const node = this.#states.get(name) ?? new NodeState(name);
    this.#states.set(name, node);
    return node;
  }

  /** Adds a node, or replaces it. */
  place(node: NodeState): void {
    if (node.slot < 0) {
      node.slot = this.#freeSlots.pop() ?? this.#slots++;
      this.#present.splice(this.#positionOf(node.name), 0, node);
    }
    for (const topology of this.#topologies.values()) topology.place(node);
  }

  /** Removes a node. */
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

  /** Returns the index of the first node whose name is not less than this one. */
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
