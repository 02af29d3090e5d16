/** What a selector of pods comes to. Every Selector is one. */
export interface Matcher {
  /** Restricts nothing. Spreading counts no pod for it, as kube-scheduler has it. */
  readonly isEmpty: boolean;
  matches(labels: ReadonlyMap<string, string>): boolean;
}

/** Asks for each label, valid or not. */
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
