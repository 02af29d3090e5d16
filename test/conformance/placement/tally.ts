import type { Answer } from './our-answer.ts';

const FILTERS = [
  'NodeUnschedulable',
  'NodeName',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
  'PodTopologySpread',
  'InterPodAffinity',
];
const SCORES = [
  'TaintToleration',
  'NodeAffinity',
  'NodeResourcesFit',
  'PodTopologySpread',
  'InterPodAffinity',
  'NodeResourcesBalancedAllocation',
  'ImageLocality',
];
const REASONS = [
  'Too many pods',
  'Insufficient memory',
  "node(s) didn't match scheduler-enforced node affinity",
  "node(s) didn't satisfy plugin(s) [NodeAffinity]",
  "node(s) didn't match pod topology spread constraints",
  "node(s) didn't match pod topology spread constraints (missing required label)",
  "node(s) didn't match pod affinity rules",
  "node(s) didn't match pod anti-affinity rules",
  "node(s) didn't satisfy existing pods anti-affinity rules",
];

/**
 * Counts the rules and reasons in answers. A comparison shows little about a rule that never refuses a node, or scores
 * all nodes alike.
 */
export class Tally {
  readonly #counts = new Map([...FILTERS, ...SCORES.map(scored), ...REASONS].map((name) => [name, 0]));

  add(answers: readonly Answer[]): void {
    for (const { feasible, refused } of answers) {
      const refusals = Object.values(refused);
      const said = new Set(refusals.flatMap(({ rule, reasons }) => [rule, ...reasons]));
      for (const name of said) this.#count(name);
      for (const name of SCORES) {
        const scores = new Set(Object.values(feasible).map((node) => node[name]));
        if (scores.size > 1) this.#count(scored(name));
      }
    }
  }

  /** The count of the rarest entry, in placements. */
  get least(): number {
    return Math.min(...this.#counts.values());
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  #count(name: string): void {
    const before = this.#counts.get(name);
    if (before !== undefined) this.#counts.set(name, before + 1);
  }
}

function scored(rule: string): string {
  return `${rule} tells nodes apart`;
}
