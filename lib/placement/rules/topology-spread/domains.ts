import type { World } from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';
import { type Constraint, countByNode, hasAllLabels, isIncluded } from './constraints.ts';

/** kube-scheduler's minimum if there is no domain: Go's highest int32. */
const NO_LEAST = 2 ** 31 - 1;

/** The counts of a constraint by domain. A domain is the nodes with the same value of the topologyKey. */
export class Domains {
  readonly #counts: Float64Array;
  readonly #isDomain: Uint8Array;
  #size = 0;
  #least = NO_LEAST;
  /** The lowest count if one domain with the minimum is left out. */
  #second = NO_LEAST;

  constructor(counts: Float64Array, isDomain: Uint8Array) {
    this.#counts = counts;
    this.#isDomain = isDomain;
    for (const [id, count] of counts.entries()) if (isDomain[id] === 1) this.#see(count);
  }

  get size(): number {
    return this.#size;
  }

  count(id: number): number {
    return this.#counts[id] ?? 0;
  }

  /** Returns the lowest count of all domains, if this domain had `more` additional pods. */
  least(id: number, more: number): number {
    if (more === 0 || this.#isDomain[id] !== 1) return this.#least;
    const count = this.count(id);
    return Math.min(count + more, count === this.#least ? this.#second : this.#least);
  }

  #see(count: number): void {
    this.#size += 1;
    if (count < this.#least) {
      this.#second = this.#least;
      this.#least = count;
    } else {
      this.#second = Math.min(this.#second, count);
    }
  }
}

/** Returns the domains of each constraint. Only nodes that have the labels of all constraints count. */
export function countDomains(
  constraints: readonly Constraint[],
  asked: AskedPod,
  world: World,
): readonly Domains[] {
  const nodes = world.nodes.present.filter((node) => hasAllLabels(node, constraints));
  return constraints.map((constraint) => {
    const { topology, matcher } = constraint;
    const byNode = countByNode(matcher, asked, world);
    const counts = topology.counts();
    const isDomain = new Uint8Array(topology.size);
    for (const node of nodes) {
      if (!isIncluded(node, constraint, asked)) continue;
      const id = topology.idOf(node);
      isDomain[id] = 1;
      counts[id] = (counts[id] ?? 0) + (byNode[node.slot] ?? 0);
    }
    return new Domains(counts, isDomain);
  });
}
