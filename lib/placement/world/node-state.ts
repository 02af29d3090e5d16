import { hashText } from '../hash.ts';
import type { Node, Taint } from '../objects.ts';
import { type Amount, minus, plus } from './amount.ts';
import { UsedPorts } from './host-ports.ts';
import { labelsOf, type PodState } from './pod-state.ts';
import { addResources, NO_RESOURCES, nanosOf, negated, type Resources, resourcesOf } from './resources.ts';

/**
 * The state of a node: the node, and the resources that its pods take. Pods may exist before their node and after it.
 */
export class NodeState {
  readonly name: string;
  readonly hash: number;
  /** The node's index in the world's arrays; -1 while the node does not exist. */
  slot = -1;
  labels: ReadonlyMap<string, string> = new Map();
  taints: readonly Taint[] = [];
  isUnschedulable = false;
  allocatable: Resources = NO_RESOURCES;
  /** The names of its images. */
  images: ReadonlySet<string> = new Set();
  requested: Resources = NO_RESOURCES;
  nonZeroCpu: Amount = 0;
  nonZeroMemory: Amount = 0;
  podCount = 0;
  readonly ports = new UsedPorts();
  /** The pods that this node is nominated for (`status.nominatedNodeName`) and that are not on it yet. */
  readonly promised = new Set<PodState>();

  constructor(name: string) {
    this.name = name;
    this.hash = hashText(name);
  }

  get isGone(): boolean {
    return this.slot < 0 && this.podCount === 0 && this.promised.size === 0;
  }

  describe({ metadata, spec, status }: Node): void {
    this.labels = labelsOf(metadata);
    this.taints = spec?.taints ?? [];
    this.isUnschedulable = spec?.unschedulable ?? false;
    this.allocatable = resourcesOf(nanosOf(status?.allocatable));
    this.images = new Set((status?.images ?? []).flatMap(({ names }) => names ?? []));
  }

  add({ resources, nonZero, ports }: PodState): void {
    this.podCount += 1;
    this.requested = addResources(this.requested, resources);
    this.nonZeroCpu = plus(this.nonZeroCpu, nonZero.cpu);
    this.nonZeroMemory = plus(this.nonZeroMemory, nonZero.memory);
    for (const port of ports) this.ports.add(port);
  }

  remove({ resources, nonZero, ports }: PodState): void {
    this.podCount -= 1;
    this.requested = addResources(this.requested, negated(resources));
    this.nonZeroCpu = minus(this.nonZeroCpu, nonZero.cpu);
    this.nonZeroMemory = minus(this.nonZeroMemory, nonZero.memory);
    for (const port of ports) this.ports.remove(port);
  }
}
