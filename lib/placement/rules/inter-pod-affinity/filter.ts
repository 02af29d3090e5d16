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
 * Refuses nodes that break a required affinity or anti-affinity of the pod, or a required anti-affinity of a running
 * pod.
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
        // The caller first passes the pods nominated for the node, and then none: the node must fit in both cases.
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

/** Counts the pods whose required anti-affinity selects the pod. */
function countUnwanted(asked: AskedPod, world: World): Counters {
  const counters = new Counters(world);
  const namespaceLabels = world.namespaces.get(asked.namespace);
  for (const { term, nodes } of world.terms.requiredAnti) {
    if (matchesTerm(term, asked, namespaceLabels)) counters.add(term.topologyKey, nodes);
  }
  return counters;
}

/** Counts the pods that all of the terms select. */
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

/** Counts the pods that at least one of the terms selects. */
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
  /** Whether no running pod matches, and the pod matches its own terms. */
  readonly isFirst: boolean;
}

/** The first pod of a group may go to any node that has the labels. */
function isNear(node: NodeState, terms: readonly AffinityTerm[], { near, isFirst }: Nearness): boolean {
  return terms.every(({ topologyKey }) =>
    isFirst ? node.labels.has(topologyKey) : countOf(near.of(topologyKey), node) > 0,
  );
}

/** Whether all of the terms select a pod that is nominated for the node. */
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

/** Whether one of the terms selects a pod, and the node has the topologyKey of that term. */
function isHere({ labels }: NodeState, terms: readonly AffinityTerm[], target: Target): boolean {
  return terms.some((term) => labels.has(term.topologyKey) && matchesTerm(term, target));
}

function refuses({ labels }: NodeState, { terms }: PodState, asked: AskedPod, world: World): boolean {
  const namespaceLabels = world.namespaces.get(asked.namespace);
  return terms.requiredAnti.some(
    (term) => labels.has(term.topologyKey) && matchesTerm(term, asked, namespaceLabels),
  );
}
