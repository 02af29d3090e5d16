import type { MapSelecting, Namespace, Node, Pod, Selecting } from '../objects.ts';
import { type Profile, type Profiles, readProfiles } from '../profile/index.ts';
import { ByNamespace } from './by-namespace.ts';
import { Images } from './images.ts';
import { Nodes } from './nodes.ts';
import { PodGroups } from './pod-groups.ts';
import { labelsOf, type PodState, readPod } from './pod-state.ts';
import { PodTerms } from './term-groups.ts';

/** The kinds of objects that placement reads. */
export interface WorldKinds {
  readonly Node: Node;
  readonly Pod: Pod;
  readonly Namespace: Namespace;
  readonly Service: MapSelecting;
  readonly ReplicationController: MapSelecting;
  readonly ReplicaSet: Selecting;
  readonly StatefulSet: Selecting;
}

export interface ObjectName {
  /** Absent for a Node or a Namespace, which are cluster-scoped. */
  readonly namespace?: string;
  readonly name: string;
}

/**
 * The cluster state that pods are placed in. The caller reports each change with `set` and `delete`. A change costs
 * time in
 * proportion to itself, not to the cluster. The world stores no Node or Pod objects, only what placement reads of them.
 */
export class World {
  readonly profileOf: Profiles;
  readonly nodes = new Nodes();
  readonly images = new Images();
  /** The groups of the pods on nodes. */
  readonly groups = new PodGroups();
  readonly terms = new PodTerms();
  readonly namespaces = new Map<string, ReadonlyMap<string, string>>();
  readonly services = new ByNamespace<MapSelecting>();
  readonly replicationControllers = new ByNamespace<MapSelecting>();
  readonly replicaSets = new ByNamespace<Selecting>();
  readonly statefulSets = new ByNamespace<Selecting>();
  readonly #pods = new Map<string, PodState>();

  /** @throws SelectorError an `addedAffinity` of the profile has an invalid selector */
  constructor(profile: Profile = {}) {
    this.profileOf = readProfiles(profile);
  }

  /** Adds an object, or replaces it. */
  set<Kind extends keyof WorldKinds>(kind: Kind, object: WorldKinds[Kind]): void;
  set(kind: keyof WorldKinds, object: WorldKinds[keyof WorldKinds]): void {
    switch (kind) {
      case 'Node':
        this.#setNode(object as Node);
        break;
      case 'Pod':
        this.#setPod(object as Pod);
        break;
      case 'Namespace':
        this.namespaces.set(object.metadata?.name ?? '', labelsOf(object.metadata));
        break;
      default:
        this.#owners(kind).set(object as MapSelecting);
    }
  }

  /** Removes an object. An unknown object is ignored. */
  delete(kind: keyof WorldKinds, named: ObjectName): void {
    switch (kind) {
      case 'Node':
        this.#deleteNode(named.name);
        break;
      case 'Pod':
        this.#deletePod(keyOf(named));
        break;
      case 'Namespace':
        this.namespaces.delete(named.name);
        break;
      default:
        this.#owners(kind).delete(named);
    }
  }

  #owners(kind: 'Service' | 'ReplicationController' | 'ReplicaSet' | 'StatefulSet'): ByNamespace<Selecting> {
    switch (kind) {
      case 'Service':
        return this.services;
      case 'ReplicationController':
        return this.replicationControllers;
      case 'ReplicaSet':
        return this.replicaSets;
      case 'StatefulSet':
        return this.statefulSets;
      default:
        throw kind satisfies never;
    }
  }

  #setNode(object: Node): void {
    const node = this.nodes.expect(object.metadata?.name ?? '');
    this.images.remove(node.name, node.images);
    node.describe(object);
    this.images.add(object);
    this.nodes.place(node);
  }

  #deleteNode(name: string): void {
    const node = this.nodes.find(name);
    if (node === undefined) return;
    this.images.remove(name, node.images);
    this.nodes.withdraw(node);
  }

  #setPod(object: Pod): void {
    const key = keyOf(object.metadata ?? {});
    this.#deletePod(key);
    const pod = readPod(object);
    if (pod === undefined) return;
    this.#pods.set(key, pod);
    const node = this.nodes.expect(pod.nodeName);
    if (pod.isBound) {
      node.add(pod);
      this.groups.count(pod, node, 1);
      this.terms.count(pod, node, 1);
    } else {
      node.promised.add(pod);
    }
  }

  #deletePod(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined) return;
    this.#pods.delete(key);
    const node = this.nodes.expect(pod.nodeName);
    if (pod.isBound) {
      node.remove(pod);
      this.groups.count(pod, node, -1);
      this.terms.count(pod, node, -1);
    } else {
      node.promised.delete(pod);
    }
    this.nodes.forgetIfGone(node);
  }
}

function keyOf({ namespace = '', name = '' }: Partial<ObjectName>): string {
  return `${namespace}/${name}`;
}
