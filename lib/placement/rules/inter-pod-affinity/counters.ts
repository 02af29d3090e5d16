import type { NodeState, Topology, World } from '../../world/index.ts';

/** The counts for each value of one label. */
export interface Counter {
  readonly topology: Topology;
  readonly counts: Float64Array;
}

/** The counters by label. */
export class Counters {
  readonly #byKey = new Map<string, Counter>();
  readonly #world: World;
  /** The counters that are not empty. */
  readonly #used = new Set<Counter>();

  constructor(world: World) {
    this.#world = world;
  }

  get isEmpty(): boolean {
    return this.#used.size === 0;
  }

  /** The counters that are not empty, even if their sum is 0. */
  get used(): Iterable<Counter> {
    return this.#used;
  }

  /** Adds the counts of the nodes that have the label. */
  add(topologyKey: string, tally: Counted, weight = 1): void {
    const counter = this.of(topologyKey);
    if (tally.countInto(counter.counts, counter.topology.ids, weight)) this.#used.add(counter);
  }

  of(topologyKey: string): Counter {
    const known = this.#byKey.get(topologyKey);
    if (known !== undefined) return known;
    const topology = this.#world.nodes.topology(topologyKey);
    const counter = { topology, counts: topology.counts() };
    this.#byKey.set(topologyKey, counter);
    return counter;
  }

  /** Whether the node has a value with a count. */
  hasAny(node: NodeState): boolean {
    for (const counter of this.#used) if (countOf(counter, node) > 0) return true;
    return false;
  }
}

interface Counted {
  countInto(counts: Float64Array, ids: Int32Array, weight?: number): boolean;
}

/** Returns the count of a node's value; 0 for a node without the label. */
export function countOf({ topology, counts }: Counter, node: NodeState): number {
  const id = topology.idOf(node);
  return id < 0 ? 0 : (counts[id] ?? 0);
}
