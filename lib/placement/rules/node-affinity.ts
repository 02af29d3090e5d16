import type { NodeTerm } from '../objects.ts';
import { readPreferredTerms, sumPreferences } from '../profile/index.ts';
import type { AskedPod } from './asked-pod.ts';
import { normalize } from './normalize.ts';
import type { FilterRule, PreparedFilter, ScoreRule } from './rule.ts';
import { scoreEach } from './score-each.ts';

const NAME = 'NodeAffinity';
const UNMATCHED = ["node(s) didn't match Pod's node affinity/selector"];
const ENFORCED = ["node(s) didn't match scheduler-enforced node affinity"];
const CONFLICT = 'pod affinity terms conflict';

/**
 * Refuses nodes that do not match the pod's `nodeSelector`, its required node affinity, or the affinity of the profile.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#affinity-and-anti-affinity
 */
export const affinityFilter: FilterRule = {
  name: NAME,
  prepare(asked, { profileOf }) {
    const { addedSelector } = profileOf(asked.spec.schedulerName);
    const required = asked.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (!required && addedSelector === undefined && !asked.spec.nodeSelector) return undefined;
    return {
      refuse(node) {
        if (addedSelector !== undefined && !addedSelector.matches(node)) return ENFORCED;
        return asked.admits(node) ? undefined : UNMATCHED;
      },
      ...restrictionOf(required?.nodeSelectorTerms ?? []),
    };
  },
};

/** Scores a node by the weights of the preferences that it matches. */
export const affinityScore: ScoreRule = {
  name: NAME,
  weight: 2,
  score(asked, { profileOf }, nodes) {
    const { addedPreferences } = profileOf(asked.spec.schedulerName);
    const own = preferencesOf(asked);
    if (own === undefined && addedPreferences === undefined) return undefined;
    const terms = [...(addedPreferences ?? []), ...(own ?? [])];
    return normalize(scoreEach(nodes, (node) => sumPreferences(terms, node)));
  },
};

/** If every term names its nodes, only these nodes are evaluated. */
function restrictionOf(terms: readonly NodeTerm[]): Pick<PreparedFilter, 'only' | 'refusesAll'> {
  const named = terms.map(namesIn);
  const only = new Set<string>();
  for (const names of named) {
    if (names === undefined) return {};
    for (const name of names) only.add(name);
  }
  if (named.length === 0) return {};
  return only.size === 0 ? { refusesAll: CONFLICT } : { only };
}

function namesIn({ matchFields }: NodeTerm): ReadonlySet<string> | undefined {
  let names: ReadonlySet<string> | undefined;
  for (const { key, operator, values } of matchFields ?? []) {
    if (key !== 'metadata.name' || operator !== 'In') continue;
    const listed = new Set(values ?? []);
    names = names === undefined ? listed : new Set([...names].filter((name) => listed.has(name)));
  }
  return names;
}

function preferencesOf({ nodeAffinity }: AskedPod) {
  const preferences = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  return preferences ? readPreferredTerms(preferences, 'spec.affinity.nodeAffinity') : undefined;
}
