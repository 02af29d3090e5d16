import type { NodeState, Topology, World } from '../../world/index.ts';

/** What is counted for each value of one label. */
export interface Counter {
  readonly topology: Topology;
  readonly counts: Float64Array;
}

/** A counter for each label that was counted by. */
export class Counters {
  readonly #byKey = new Map<string, Counter>();
  readonly #world: World;
  /** Those in which something was counted. */
  readonly #used = new Set<Counter>();

  constructor(world: World) {
    this.#world = world;
  }

  get isEmpty(): boolean {
    return this.#used.size === 0;
  }

  /** Those in which something was counted, 0 in sum or not. */
  get used(): Iterable<Counter> {
    return this.#used;
  }

  /** Counts by a label what is on nodes that have it. */
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

  /** Whether something is counted for a value that the node has. */
  hasAny(node: NodeState): boolean {
    for (const counter of this.#used) if (countOf(counter, node) > 0) return true;
    return false;
  }
}

interface Counted {
  countInto(counts: Float64Array, ids: Int32Array, weight?: number): boolean;
}

/** 0 for a node without the label. */
export function countOf({ topology, counts }: Counter, node: NodeState): number {
  const id = topology.idOf(node);
  return id < 0 ? 0 : (counts[id] ?? 0);
}
