/** The metadata of a pod. */
export interface PodMetadata {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** Pods that every policy treats alike: of one namespace, with the same values of the labels that policies mention. */
export interface PodClass {
  readonly key: string;
  readonly namespace: string;
  /** The labels that policies mention. */
  readonly labels: Readonly<Record<string, string>>;
  /** Some pods of the class: the first one stands for all, and the second one is reached by the first. */
  readonly names: readonly string[];
  readonly count: number;
}

/** The pods with one value of the label by which the matrix groups. */
export interface PodGroup {
  /** `(none)` for the pods without the label. */
  readonly name: string;
  readonly count: number;
  /** The largest class comes first. */
  readonly classes: readonly PodClass[];
}

/** The name of the group of the pods without the label. */
export const NONE = '(none)';

/**
 * Groups pods by the value of a label, the largest group first. `mentioned` has the keys that policies mention; without
 * it, only pods with the same labels are alike.
 */
export function groupPods(
  pods: readonly PodMetadata[],
  key: string,
  mentioned: ReadonlySet<string> | undefined,
): PodGroup[] {
  const groups = new Map<string, PodMetadata[]>();
  for (const pod of pods) {
    const name = pod.metadata.labels?.[key] ?? NONE;
    groups.set(name, [...(groups.get(name) ?? []), pod]);
  }
  const found = Array.from(groups, ([name, members]) => ({
    name,
    count: members.length,
    classes: classesOf(members, mentioned),
  }));
  return found.sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

function classesOf(pods: readonly PodMetadata[], mentioned: ReadonlySet<string> | undefined): PodClass[] {
  const classes = new Map<string, PodClass>();
  for (const { metadata } of pods) {
    const { name, namespace = '', labels = {} } = metadata;
    const keys = Object.keys(labels).filter((one) => mentioned?.has(one) ?? true);
    const kept = Object.fromEntries(keys.sort().map((one) => [one, labels[one] ?? '']));
    const key = JSON.stringify([namespace, kept]);
    const { names, count } = classes.get(key) ?? { names: [], count: 0 };
    classes.set(key, { key, namespace, labels: kept, names: [...names, name].slice(0, 2), count: count + 1 });
  }
  return [...classes.values()].sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1));
}

/** The part of a label selector that mentions keys. */
interface LabelSelector {
  readonly matchLabels?: object | null;
  readonly matchExpressions?: readonly { readonly key: string }[] | null;
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

interface Peer {
  readonly podSelector?: LabelSelector;
  readonly ipBlock?: object;
}

export interface NetworkPolicy {
  readonly spec?: {
    readonly podSelector?: LabelSelector;
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** The label keys of pods that policies mention. */
export function mentionedKeys(policies: readonly NetworkPolicy[]): ReadonlySet<string> {
  const selectors = policies.flatMap(({ spec }) => [
    spec?.podSelector,
    ...peersOf(spec).map(({ podSelector }) => podSelector),
  ]);
  return new Set(
    selectors.flatMap((selector) => [
      ...Object.keys(selector?.matchLabels ?? {}),
      ...(selector?.matchExpressions ?? []).map(({ key }) => key),
    ]),
  );
}

/** Whether a policy names address ranges, so that pods differ by their addresses too. */
export function namesAddresses(policies: readonly NetworkPolicy[]): boolean {
  return policies.some(({ spec }) => peersOf(spec).some(({ ipBlock }) => ipBlock !== undefined));
}

function peersOf(spec: NetworkPolicy['spec']): readonly Peer[] {
  const rules = [...(spec?.ingress ?? []), ...(spec?.egress ?? [])];
  return rules.flatMap(({ from = [], to = [] }) => [...from, ...to]);
}
