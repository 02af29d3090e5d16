import { fromLabelSelector, type Selector } from '../../lib/selectors/index.ts';
import { valueText } from '../selector/index.ts';

/** The metadata of a pod. */
export interface PodMetadata {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** Pods that every policy treats alike: of one namespace, and selected by the same selectors. */
export interface PodClass {
  readonly key: string;
  readonly namespace: string;
  /** The selectors of policies that match these pods, as texts. Without policies: the labels that they share. */
  readonly selectedBy: readonly string[];
  /** Some pods of the class: the first one stands for all, and the second one is reached by the first. */
  readonly names: readonly string[];
  readonly count: number;
}

/** The pods with one value of the label by which the matrix groups. */
export interface PodGroup {
  /** The value as users see it: also `(no label)` and `(empty)`, which are no values. */
  readonly name: string;
  readonly count: number;
  /** The largest class comes first. */
  readonly classes: readonly PodClass[];
}

/**
 * Groups pods by the value of a label, the largest group first. `selectors` are those with which policies select pods;
 * without them, only pods with the same labels are alike.
 */
export function groupPods(
  pods: readonly PodMetadata[],
  key: string,
  selectors: readonly Selector[] | undefined,
): PodGroup[] {
  const groups = new Map<string, PodMetadata[]>();
  for (const pod of pods) {
    const name = valueText(pod.metadata.labels?.[key]);
    const members = groups.get(name);
    if (members === undefined) {
      groups.set(name, [pod]);
    } else {
      members.push(pod);
    }
  }
  const found = Array.from(groups, ([name, members]) => ({
    name,
    count: members.length,
    classes: classesOf(members, selectors),
  }));
  return found.sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

function classesOf(pods: readonly PodMetadata[], selectors: readonly Selector[] | undefined): PodClass[] {
  const classes = new Map<string, PodClass>();
  for (const { metadata } of pods) {
    const { name, namespace = '', labels = {} } = metadata;
    const selectedBy = selectors?.filter((one) => one.matches(labels)).map(String) ?? textsOf(labels);
    const key = JSON.stringify([namespace, selectedBy]);
    const { names, count } = classes.get(key) ?? { names: [], count: 0 };
    classes.set(key, { key, namespace, selectedBy, names: [...names, name].slice(0, 2), count: count + 1 });
  }
  return [...classes.values()].sort(
    (one, other) => other.count - one.count || (one.key < other.key ? -1 : 1),
  );
}

function textsOf(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort();
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

interface Peer {
  readonly podSelector?: object;
  readonly ipBlock?: object;
}

export interface NetworkPolicy {
  readonly spec?: {
    readonly podSelector?: object;
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** The different selectors with which policies select pods. Those that select every pod are left out. */
export function selectorsOf(policies: readonly NetworkPolicy[]): readonly Selector[] {
  const found = policies.flatMap(({ spec }) => [
    spec?.podSelector,
    ...peersOf(spec).map(({ podSelector }) => podSelector),
  ]);
  const selectors = found.filter((one) => one !== undefined).map((one) => fromLabelSelector(one));
  const different = new Map(selectors.map((one) => [String(one), one]));
  different.delete('');
  return [...different.values()];
}

/** Whether a policy names address ranges, so that pods differ by their addresses too. */
export function namesAddresses(policies: readonly NetworkPolicy[]): boolean {
  return policies.some(({ spec }) => peersOf(spec).some(({ ipBlock }) => ipBlock !== undefined));
}

function peersOf(spec: NetworkPolicy['spec']): readonly Peer[] {
  const rules = [...(spec?.ingress ?? []), ...(spec?.egress ?? [])];
  return rules.flatMap(({ from = [], to = [] }) => [...from, ...to]);
}
