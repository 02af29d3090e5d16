import { fromLabelSelector, nothing, type Selector, SelectorError } from '../../selectors/index.ts';
import type { PodAffinity, PodAffinityTerm } from '../objects.ts';

/** Which pods a term of an affinity means. Pods on nodes with the same value of the topologyKey are near it. */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: Selector;
  readonly selector: Selector;
  readonly topologyKey: string;
}

export interface WeightedTerm {
  readonly term: AffinityTerm;
  /** Below 0 where it is better to be away. */
  readonly weight: number;
}

/** The terms of a pod's affinity and anti-affinity. */
export interface AffinityTerms {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly preferred: readonly WeightedTerm[];
}

export const NO_TERMS: AffinityTerms = { required: [], requiredAnti: [], preferred: [] };

/** What a pod is to a term. */
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
 * @param namespace of the pod that has them
 * @throws SelectorError where a selector is none
 */
export function readTerms({ podAffinity, podAntiAffinity }: Affinities, namespace: string): AffinityTerms {
  return {
    required: requiredOf(podAffinity, namespace),
    requiredAnti: requiredOf(podAntiAffinity, namespace),
    preferred: [...preferredOf(podAffinity, namespace, 1), ...preferredOf(podAntiAffinity, namespace, -1)],
  };
}

/** As the scheduler takes the terms of pods that run: a list with a selector that is none counts for nothing. */
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
