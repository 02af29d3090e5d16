import { nothing } from '../../../selectors/index.ts';
import {
  type AffinityTerm,
  type AffinityTerms,
  type PodGroup,
  readTerms,
  type World,
} from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';

/**
 * The terms of the pod that is to be placed, with the namespaces that there are now for their namespaceSelectors.
 * @throws SelectorError where a selector is none
 */
export function ownTerms({ spec, namespace }: AskedPod, world: World): AffinityTerms {
  const terms = readTerms(spec.affinity ?? {}, namespace);
  const resolve = (term: AffinityTerm) => resolveNamespaces(term, world);
  return {
    required: terms.required.map(resolve),
    requiredAnti: terms.requiredAnti.map(resolve),
    preferred: terms.preferred.map(({ term, weight }) => ({ term: resolve(term), weight })),
  };
}

/** The pods in the namespaces of a term. */
export function groupsOf(term: AffinityTerm, { groups }: World): Iterable<PodGroup> {
  return term.namespaceSelector.isEmpty ? groups.all() : groupsIn(term.namespaces, groups);
}

function* groupsIn(namespaces: Iterable<string>, groups: World['groups']): Iterable<PodGroup> {
  for (const namespace of namespaces) yield* groups.of(namespace);
}

/** An empty selector stays: it means namespaces as well of which nothing is known. */
function resolveNamespaces(term: AffinityTerm, world: World): AffinityTerm {
  const { namespaceSelector } = term;
  if (namespaceSelector.isEmpty || namespaceSelector === nothing) return term;
  const namespaces = new Set(term.namespaces);
  for (const [name, labels] of world.namespaces) if (namespaceSelector.matches(labels)) namespaces.add(name);
  return { ...term, namespaces, namespaceSelector: nothing };
}
