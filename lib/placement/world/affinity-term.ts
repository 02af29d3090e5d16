import { fromLabelSelector, nothing, type Selector, SelectorError } from '../../selectors/index.ts';
import type { PodAffinity, PodAffinityTerm } from '../objects.ts';

/**
 * A term of a pod affinity: the pods that it selects, and the topologyKey. Two nodes with the same value of the key
 * are near each other.
 */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: Selector;
  readonly selector: Selector;
  readonly topologyKey: string;
}

export interface WeightedTerm {
  readonly term: AffinityTerm;
  /** The weight; negative for an anti-affinity. */
  readonly weight: number;
}

/** The terms of a pod's affinity and anti-affinity. */
export interface AffinityTerms {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly preferred: readonly WeightedTerm[];
}

export const NO_TERMS: AffinityTerms = { required: [], requiredAnti: [], preferred: [] };

/** The properties of a pod that a term reads. */
export interface Target {
  readonly namespace: string;
  readonly labels: ReadonlyMap<string, string>;
}

const NO_LABELS: ReadonlyMap<string, string> = new Map();

export function matchesTerm(
  term: AffinityTerm,
  { namespace, labels }: Target,
  namespaceLabels: ReadonlyMap<string, string> = NO_LABELS,
): boolean {
  if (!term.namespaces.has(namespace) && !term.namespaceSelector.matches(namespaceLabels)) return false;
  return term.selector.matches(labels);
}

export interface Affinities {
  readonly podAffinity?: PodAffinity | null | undefined;
  readonly podAntiAffinity?: PodAffinity | null | undefined;
}

/**
 * @param namespace the namespace of the pod that has the terms
 * @throws SelectorError a selector is invalid
 */
export function readTerms({ podAffinity, podAntiAffinity }: Affinities, namespace: string): AffinityTerms {
  return {
    required: requiredOf(podAffinity, namespace),
    requiredAnti: requiredOf(podAntiAffinity, namespace),
    preferred: [...preferredOf(podAffinity, namespace, 1), ...preferredOf(podAntiAffinity, namespace, -1)],
  };
}

/** Reads the terms of a running pod as kube-scheduler does: a list with an invalid selector counts as empty. */
export function readTermsLeniently(
  { podAffinity, podAntiAffinity }: Affinities,
  namespace: string,
): AffinityTerms {
  return {
    required: orNone(() => requiredOf(podAffinity, namespace)),
    requiredAnti: orNone(() => requiredOf(podAntiAffinity, namespace)),
    preferred: [
      ...orNone(() => preferredOf(podAffinity, namespace, 1)),
      ...orNone(() => preferredOf(podAntiAffinity, namespace, -1)),
    ],
  };
}

function requiredOf(affinity: PodAffinity | null | undefined, namespace: string): readonly AffinityTerm[] {
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map((term) => readTerm(term, namespace));
}

function preferredOf(
  affinity: PodAffinity | null | undefined,
  namespace: string,
  sign: number,
): readonly WeightedTerm[] {
  const terms = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map(({ weight, podAffinityTerm }) => ({
    term: readTerm(podAffinityTerm, namespace),
    weight: sign * weight,
  }));
}

function readTerm(term: PodAffinityTerm, namespace: string): AffinityTerm {
  const named = term.namespaces ?? [];
  const hasSelector = term.namespaceSelector !== undefined && term.namespaceSelector !== null;
  return {
    namespaces: new Set(named.length === 0 && !hasSelector ? [namespace] : named),
    namespaceSelector: hasSelector ? fromLabelSelector(term.namespaceSelector) : nothing,
    selector: fromLabelSelector(term.labelSelector),
    topologyKey: term.topologyKey ?? '',
  };
}

function orNone<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}
