import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * The spec of a new pod with the `matchLabelKeys` and `mismatchLabelKeys` of its affinity terms resolved: the values of
 * the pod's own labels become requirements of the `labelSelector`.
 * k8s.io/kubernetes/pkg/registry/core/pod, mutatePodAffinity
 */
export function withMergedLabelKeys(spec: JsonObject, labels: JsonObject): JsonObject {
  const { affinity } = spec;
  if (!isJsonObject(affinity)) return spec;
  const merged = { ...affinity };
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const terms = affinity[kind];
    if (isJsonObject(terms)) merged[kind] = mergedTerms(terms, labels);
  }
  return { ...spec, affinity: merged };
}

function mergedTerms(terms: JsonObject, labels: JsonObject): JsonObject {
  const { [REQUIRED]: required, [PREFERRED]: preferred } = terms;
  const merged = { ...terms };
  if (Array.isArray(required)) merged[REQUIRED] = required.map((term) => mergedTerm(objectAt(term), labels));
  if (Array.isArray(preferred)) {
    merged[PREFERRED] = preferred.map(objectAt).map((weighted) => ({
      ...weighted,
      podAffinityTerm: mergedTerm(objectAt(weighted.podAffinityTerm), labels),
    }));
  }
  return merged;
}

/** The resolved term. A term without a selector matches no pod and stays unchanged. */
function mergedTerm(term: JsonObject, labels: JsonObject): JsonObject {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = term;
  if (!isJsonObject(labelSelector)) return term;
  const added = [
    ...requirements(matchLabelKeys, 'In', labels),
    ...requirements(mismatchLabelKeys, 'NotIn', labels),
  ];
  if (added.length === 0) return term;
  const { matchExpressions } = labelSelector;
  const own = Array.isArray(matchExpressions) ? matchExpressions : [];
  return { ...term, labelSelector: { ...labelSelector, matchExpressions: [...own, ...added] } };
}

function requirements(keys: JsonValue | undefined, operator: string, labels: JsonObject): JsonObject[] {
  const known = Array.isArray(keys) ? keys.map(String).filter((key) => Object.hasOwn(labels, key)) : [];
  return known.map((key) => ({ key, operator, values: [labels[key] ?? ''] }));
}
