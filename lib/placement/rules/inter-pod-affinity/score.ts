import { matchesTerm, type NodeState, type World } from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';
import { MOST_SCORE, type ScoreRule } from '../rule.ts';
import { scoreEach } from '../score-each.ts';
import { Counters, countOf } from './counters.ts';
import { groupsOf, ownTerms } from './own-terms.ts';

/**
 * Scores nodes by preferred affinities: those of the pod, and those of running pods that select it. Anti-affinities
 * count negatively.
 */
export const podAffinityScore: ScoreRule = {
  name: 'InterPodAffinity',
  weight: 2,
  score(asked, world, nodes) {
    const counters = new Counters(world);
    countPreferred(counters, asked, world);
    countPreferring(counters, asked, world);
    if (counters.isEmpty) return undefined;
    const used = [...counters.used];
    const sum = (node: NodeState) => {
      let total = 0;
      for (const counter of used) total += countOf(counter, node);
      return total;
    };
    return stretch(scoreEach(nodes, sum));
  },
};

/** Counts the running pods that the pod's preferred terms select. */
function countPreferred(counters: Counters, asked: AskedPod, world: World): void {
  for (const { term, weight } of ownTerms(asked, world).preferred) {
    for (const group of groupsOf(term, world)) {
      if (matchesTerm(term, group)) counters.add(term.topologyKey, group.nodes, weight);
    }
  }
}

/** Counts the running pods whose required or preferred terms select the pod. */
function countPreferring(counters: Counters, asked: AskedPod, world: World): void {
  const hardWeight = world.profileOf(asked.spec.schedulerName).hardPodAffinityWeight;
  const namespaceLabels = world.namespaces.get(asked.namespace);
  if (hardWeight > 0) {
    for (const { term, nodes } of world.terms.required) {
      if (matchesTerm(term, asked, namespaceLabels)) counters.add(term.topologyKey, nodes, hardWeight);
    }
  }
  for (const { term, weight, nodes } of world.terms.preferred) {
    if (matchesTerm(term, asked, namespaceLabels)) counters.add(term.topologyKey, nodes, weight);
  }
}

/** Scales the scores from 0 for the lowest to 100 for the highest. Changes the array. */
function stretch(scores: Float64Array): Float64Array {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    if (score < least) least = score;
    if (score > most) most = score;
  }
  const range = most - least;
  return scores.map((score) => (range > 0 ? Math.trunc(MOST_SCORE * ((score - least) / range)) : 0));
}
