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
 * Returns the terms of the pod to place. Their namespaceSelectors are resolved to the namespaces that exist now.
 * @throws SelectorError a selector is invalid
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

/** Yields the groups of pods in the namespaces of a term. */
export function groupsOf(term: AffinityTerm, { groups }: World): Iterable<PodGroup> {
  return term.namespaceSelector.isEmpty ? groups.all() : groupsIn(term.namespaces, groups);
}

function* groupsIn(namespaces: Iterable<string>, groups: World['groups']): Iterable<PodGroup> {
  for (const namespace of namespaces) yield* groups.of(namespace);
}

/** An empty namespaceSelector stays as it is: it also selects namespaces that the world does not know. */
function resolveNamespaces(term: AffinityTerm, world: World): AffinityTerm {
  const { namespaceSelector } = term;
  if (namespaceSelector.isEmpty || namespaceSelector === nothing) return term;
  const namespaces = new Set(term.namespaces);
  for (const [name, labels] of world.namespaces) if (namespaceSelector.matches(labels)) namespaces.add(name);
  return { ...term, namespaces, namespaceSelector: nothing };
}
