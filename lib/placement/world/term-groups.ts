import type { AffinityTerm, WeightedTerm } from './affinity-term.ts';
import type { NodeState } from './node-state.ts';
import type { PodState } from './pod-state.ts';
import { NodeCounts } from './tally.ts';

/** A term that several pods have in common, and the number of these pods on each node. */
export interface TermGroup extends WeightedTerm {
  readonly nodes: NodeCounts;
}

/** The distinct terms of the pods on nodes. */
export class TermGroups {
  readonly #groups = new Map<string, TermGroup>();

  count({ term, weight }: WeightedTerm, node: NodeState, by: 1 | -1): void {
    const key = keyOf(term, weight);
    const group = this.#groups.get(key) ?? { term, weight, nodes: new NodeCounts() };
    group.nodes.add(node, by);
    if (group.nodes.isEmpty) {
      this.#groups.delete(key);
    } else {
      this.#groups.set(key, group);
    }
  }

  [Symbol.iterator](): Iterator<TermGroup> {
    return this.#groups.values();
  }
}

/** The affinity terms of all pods on nodes: required and preferred ones. */
export class PodTerms {
  readonly required = new TermGroups();
  readonly requiredAnti = new TermGroups();
  readonly preferred = new TermGroups();

  count({ terms }: PodState, node: NodeState, by: 1 | -1): void {
    for (const term of terms.required) this.required.count({ term, weight: 1 }, node, by);
    for (const term of terms.requiredAnti) this.requiredAnti.count({ term, weight: 1 }, node, by);
    for (const weighted of terms.preferred) this.preferred.count(weighted, node, by);
  }
}

function keyOf(term: AffinityTerm, weight: number): string {
  const { namespaces, namespaceSelector, selector, topologyKey } = term;
  const selectors = [namespaceSelector, selector].map((one) => [one.isEmpty, String(one)]);
  return JSON.stringify([weight, topologyKey, [...namespaces].sort(), selectors]);
}
