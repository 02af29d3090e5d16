import type { NodeState } from './node-state.ts';
import type { PodState } from './pod-state.ts';
import { NodeCounts } from './tally.ts';

/** Pods with the same namespace, labels and state of deletion. A selector is evaluated once for all of them. */
export interface PodGroup {
  readonly namespace: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly isTerminating: boolean;
  readonly nodes: NodeCounts;
}

type Pods = Pick<PodState, 'namespace' | 'labels' | 'isTerminating'>;

/** The pods on nodes, grouped by namespace and labels. */
export class PodGroups {
  readonly #byNamespace = new Map<string, Map<string, PodGroup>>();

  count(pod: PodState, node: NodeState, by: 1 | -1): void {
    const groups = this.#byNamespace.get(pod.namespace) ?? new Map<string, PodGroup>();
    this.#byNamespace.set(pod.namespace, groups);
    const key = keyOf(pod);
    const group = groups.get(key) ?? create(pod);
    group.nodes.add(node, by);
    if (group.nodes.isEmpty) {
      groups.delete(key);
    } else {
      groups.set(key, group);
    }
    if (groups.size === 0) this.#byNamespace.delete(pod.namespace);
  }

  *of(namespace: string): Iterable<PodGroup> {
    yield* this.#byNamespace.get(namespace)?.values() ?? [];
  }

  *all(): Iterable<PodGroup> {
    for (const groups of this.#byNamespace.values()) yield* groups.values();
  }
}

function create({ namespace, labels, isTerminating }: Pods): PodGroup {
  return { namespace, labels, isTerminating, nodes: new NodeCounts() };
}

function keyOf({ labels, isTerminating }: Pods): string {
  const sorted = [...labels].sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([isTerminating, sorted]);
}
