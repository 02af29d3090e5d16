import { type NodeSelector, readNodeSelector } from '../../selectors/index.ts';
import type { NodeAffinity, Pod, PodSpec, Taint, Toleration } from '../objects.ts';
import { labelsOf, type NodeState, type PodState, type World } from '../world/index.ts';
import { tolerates } from './tolerates.ts';

const NONE: readonly PodState[] = [];
const UNKNOWN = 0;
const ADMITTED = 1;
const REFUSED = 2;

/** The pod to place, as the rules read it. It caches answers, so it serves one placement only. */
export class AskedPod {
  readonly pod: Pod;
  readonly spec: PodSpec;
  readonly namespace: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly tolerations: readonly Toleration[];
  readonly nodeAffinity: NodeAffinity | undefined;
  readonly #nodeLabels: readonly (readonly [string, string])[];
  readonly #selector: NodeSelector | undefined;
  readonly #admitted: Uint8Array;

  constructor(pod: Pod, world: World) {
    this.pod = pod;
    this.spec = pod.spec ?? {};
    this.namespace = pod.metadata?.namespace ?? '';
    this.labels = labelsOf(pod.metadata);
    this.tolerations = this.spec.tolerations ?? [];
    this.nodeAffinity = this.spec.affinity?.nodeAffinity ?? undefined;
    this.#nodeLabels = Object.entries(this.spec.nodeSelector ?? {});
    const required = this.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? undefined;
    this.#selector = required && readNodeSelector(required).selector;
    this.#admitted = new Uint8Array(world.nodes.slots);
  }

  /** Whether a node matches the pod's own nodeSelector and required node affinity. */
  admits(node: NodeState): boolean {
    if (this.#selector === undefined && this.#nodeLabels.length === 0) return true;
    if (this.#admitted[node.slot] === UNKNOWN) {
      this.#admitted[node.slot] = this.#matches(node) ? ADMITTED : REFUSED;
    }
    return this.#admitted[node.slot] === ADMITTED;
  }

  /** Returns the node's first taint that the pod does not tolerate. */
  untoleratedTaint({ taints }: NodeState): Taint | undefined {
    if (taints.length === 0) return undefined;
    return taints.find(
      (taint) =>
        (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
        !tolerates(this.tolerations, taint),
    );
  }

  /** Returns the other pods that are nominated for a node and whose priority is not lower than this pod's. */
  promisedBefore({ promised }: NodeState): readonly PodState[] {
    if (promised.size === 0) return NONE;
    const priority = this.spec.priority ?? 0;
    return [...promised].filter((other) => other.priority >= priority && !this.#is(other));
  }

  #matches(node: NodeState): boolean {
    for (const [key, value] of this.#nodeLabels) if (node.labels.get(key) !== value) return false;
    return this.#selector === undefined || this.#selector.matches(node);
  }

  #is(other: PodState): boolean {
    const { uid = '', name = '' } = this.pod.metadata ?? {};
    if (uid !== '' && other.uid !== '') return uid === other.uid;
    return other.namespace === this.namespace && other.name === name;
  }
}
