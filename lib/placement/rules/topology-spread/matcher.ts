/** A predicate on the labels of pods. Every Selector implements it. */
export interface Matcher {
  /** Whether the selector is empty. Topology spread then counts no pod, as in kube-scheduler. */
  readonly isEmpty: boolean;
  matches(labels: ReadonlyMap<string, string>): boolean;
}

/** Returns a matcher that requires each of the labels, even if it is not valid. */
export function matchLabels(wanted: ReadonlyMap<string, string>): Matcher {
  return {
    isEmpty: wanted.size === 0,
    matches(labels) {
      for (const [key, value] of wanted) if (labels.get(key) !== value) return false;
      return true;
    },
  };
}

export function both(one: Matcher, other: Matcher): Matcher {
  return {
    isEmpty: one.isEmpty && other.isEmpty,
    matches: (labels) => one.matches(labels) && other.matches(labels),
  };
}
