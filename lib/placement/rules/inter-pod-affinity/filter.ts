import {
  type AffinityTerm,
  matchesTerm,
  type NodeState,
  type PodState,
  type Target,
  type World,
} from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';
import type { FilterRule } from '../rule.ts';
import { Counters, countOf } from './counters.ts';
import { groupsOf, ownTerms } from './own-terms.ts';

const NOT_NEAR = ["node(s) didn't match pod affinity rules"];
const TOO_NEAR = ["node(s) didn't match pod anti-affinity rules"];
const NOT_WANTED = ["node(s) didn't satisfy existing pods anti-affinity rules"];

/**
 * A pod is near those that it must be near, and not near those that it, or they, must not be near.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity
 */
export const podAffinityFilter: FilterRule = {
  name: 'InterPodAffinity',
  prepare(asked, world) {
    const { required, requiredAnti } = ownTerms(asked, world);
    const unwanted = countUnwanted(asked, world);
    if (unwanted.isEmpty && required.length === 0 && requiredAnti.length === 0) return undefined;
    const near = countNear(required, world);
    const away = countAway(requiredAnti, world);
    const isFirst = near.isEmpty && matchesAll(required, asked);
    return {
      refuse(node, promised) {
        // Those that were promised the node count first; without them it has to do as well.
        const isNearAnyway = isNear(node, required, { near, isFirst });
        if (!isNearAnyway && !isNearPromised(node, required, promised)) return NOT_NEAR;
        if (away.hasAny(node) || promised.some((other) => isHere(node, requiredAnti, other))) return TOO_NEAR;
        const isUnwanted =
          unwanted.hasAny(node) || promised.some((other) => refuses(node, other, asked, world));
        if (isUnwanted) return NOT_WANTED;
        return isNearAnyway ? undefined : NOT_NEAR;
      },
    };
  },
};

/** Where pods are that must not be near the asked one. */
function countUnwanted(asked: AskedPod, world: World): Counters {
  const counters = new Counters(world);
  const namespaceLabels = world.namespaces.get(asked.namespace);
  for (const { term, nodes } of world.terms.requiredAnti) {
    if (matchesTerm(term, asked, namespaceLabels)) counters.add(term.topologyKey, nodes);
  }
  return counters;
}

/** Where pods are that all of the terms mean. */
function countNear(terms: readonly AffinityTerm[], world: World): Counters {
  const counters = new Counters(world);
  const [first] = terms;
  if (first === undefined) return counters;
  for (const group of groupsOf(first, world)) {
    if (!matchesAll(terms, group)) continue;
    for (const { topologyKey } of terms) counters.add(topologyKey, group.nodes);
  }
  return counters;
}

/** Where pods are that one of the terms means. */
function countAway(terms: readonly AffinityTerm[], world: World): Counters {
  const counters = new Counters(world);
  for (const term of terms) {
    for (const group of groupsOf(term, world)) {
      if (matchesTerm(term, group)) counters.add(term.topologyKey, group.nodes);
    }
  }
  return counters;
}

interface Nearness {
  readonly near: Counters;
  /** No pod is near any node yet, and the asked one means itself. */
  readonly isFirst: boolean;
}

/** The first of a group goes to any node that has the labels. */
function isNear(node: NodeState, terms: readonly AffinityTerm[], { near, isFirst }: Nearness): boolean {
  return terms.every(({ topologyKey }) =>
    isFirst ? node.labels.has(topologyKey) : countOf(near.of(topologyKey), node) > 0,
  );
}

/** Whether one that was promised the node is what all of the terms mean. */
function isNearPromised(
  { labels }: NodeState,
  terms: readonly AffinityTerm[],
  promised: readonly PodState[],
): boolean {
  return (
    terms.every(({ topologyKey }) => labels.has(topologyKey)) &&
    promised.some((other) => matchesAll(terms, other))
  );
}

function matchesAll(terms: readonly AffinityTerm[], target: Target): boolean {
  return terms.length > 0 && terms.every((term) => matchesTerm(term, target));
}

/** Whether a pod would be near the node's own by a term that means it. */
function isHere({ labels }: NodeState, terms: readonly AffinityTerm[], target: Target): boolean {
  return terms.some((term) => labels.has(term.topologyKey) && matchesTerm(term, target));
}

function refuses({ labels }: NodeState, { terms }: PodState, asked: AskedPod, world: World): boolean {
  const namespaceLabels = world.namespaces.get(asked.namespace);
  return terms.requiredAnti.some(
    (term) => labels.has(term.topologyKey) && matchesTerm(term, asked, namespaceLabels),
  );
}
