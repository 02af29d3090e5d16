import type { Namespace, Node, Pod, Profile, WorldKinds } from '../../../lib/placement/index.ts';
import { Chance } from './chance.ts';
import { PodGrower } from './growing-pod.ts';
import * as words from './vocabulary.ts';

/** A cluster, and pods to be placed in it, each independently. */
export interface Cluster {
  readonly profile: Profile;
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  readonly services: readonly WorldKinds['Service'][];
  readonly replicationControllers: readonly WorldKinds['ReplicationController'][];
  readonly replicaSets: readonly WorldKinds['ReplicaSet'][];
  readonly statefulSets: readonly WorldKinds['StatefulSet'][];
  readonly asked: readonly Pod[];
  /**
   * Whether nodes report different sizes of an image. Then the first node in the cluster counts, as in kube-scheduler.
   */
  readonly disagreesOnImages: boolean;
}

const ASKED = 3;
/** The part of the clusters that have a random profile. */
const PROFILES = 0.3;

/** The clusters of a seed, always the same and in the same order. */
export class Clusters {
  readonly #chance: Chance;
  readonly #pods: PodGrower;
  readonly #profiles: number;

  /** @param profiles the part of the clusters with a random profile, 0 to 1 */
  constructor(seed: number, profiles = PROFILES) {
    this.#chance = new Chance(seed);
    this.#profiles = profiles;
    this.#pods = new PodGrower(this.#chance);
  }

  next(): Cluster {
    const chance = this.#chance;
    const held = chance.times(chance.below(chance.pick([5, 40, 90])), (index) => this.#pods.held(index));
    const disagreesOnImages = chance.chance(0.3);
    const names = chance.sample(words.NODE_NAMES, chance.below(words.NODE_NAMES.length + 1));
    const waiting = held.filter(({ spec }) => !spec?.nodeName);
    return {
      profile: chance.chance(1 - this.#profiles) ? {} : this.#profile(),
      nodes: names.map((name) => this.#node(name, disagreesOnImages)),
      pods: held,
      namespaces: words.NAMESPACES.slice(0, 3).map((name) => this.#namespace(name)),
      services: chance.upTo(4, () => this.#owner(chance.maybe(0.9, () => this.#pods.labels()))),
      replicationControllers: chance.upTo(3, () => this.#owner(chance.maybe(0.9, () => this.#pods.labels()))),
      replicaSets: chance.upTo(4, () => this.#owner(this.#pods.labelSelector())),
      statefulSets: chance.upTo(4, () => this.#owner(this.#pods.labelSelector())),
      asked: chance.times(ASKED, (index) =>
        waiting.length > 0 && chance.chance(0.1) ? chance.pick(waiting) : this.#pods.asked(index),
      ),
      disagreesOnImages,
    };
  }

  /** A random profile: the arguments of the two plugins that have any here. */
  #profile(): Profile {
    const chance = this.#chance;
    const added = {
      ...chance.maybe(0.6, () => ({
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: this.#pods.nodeTerms() },
      })),
      ...chance.maybe(0.6, () => ({
        preferredDuringSchedulingIgnoredDuringExecution: this.#pods.preferences(),
      })),
    };
    return {
      ...chance.maybe(0.6, () => ({
        hardPodAffinityWeight: chance.pick([0, 1, 50, 100, chance.below(101)]),
      })),
      ...chance.maybe(0.7, () => ({ addedAffinity: added })),
    };
  }

  #node(name: string, disagreesOnImages: boolean): Node {
    const chance = this.#chance;
    return {
      metadata: { name, labels: this.#nodeLabels(name) },
      spec: {
        ...chance.maybe(0.04, () => ({ unschedulable: true })),
        ...chance.maybe(0.25, () => ({ taints: chance.upTo(2, () => this.#taint()) })),
      },
      status: {
        allocatable: this.#allocatable(),
        images: chance.sample(words.IMAGES, chance.below(4)).map(({ names, sizeBytes }) => ({
          names,
          sizeBytes: disagreesOnImages ? chance.pick([1, sizeBytes, 2 * sizeBytes]) : sizeBytes,
        })),
      },
    };
  }

  #nodeLabels(name: string): Record<string, string> {
    const chance = this.#chance;
    if (chance.chance(0.03)) return {};
    return {
      ...chance.maybe(0.93, () => ({ [words.HOSTNAME]: name })),
      ...chance.maybe(0.88, () => ({ [words.ZONE]: chance.pick(['z0', 'z1', 'z2', 'z2', '']) })),
      ...chance.maybe(0.5, () => ({ rack: chance.pick(['r0', 'r1', 'r2', 'r3']) })),
      ...chance.maybe(0.9, () => ({ region: 'here' })),
      ...chance.maybe(0.7, () => ({ disk: chance.pick(['ssd', 'hdd']) })),
      ...chance.maybe(0.5, () => ({ cores: chance.pick(['4', '8', '12', '16', 'many']) })),
    };
  }

  #taint() {
    const chance = this.#chance;
    return {
      key: chance.pick(words.TAINT_KEYS),
      ...chance.maybe(0.5, () => ({ value: chance.pick(['a', 'b']) })),
      effect: chance.pick(words.EFFECTS),
    };
  }

  #allocatable(): Record<string, string> {
    const chance = this.#chance;
    return {
      ...chance.maybe(0.97, () => ({ cpu: chance.chance(0.03) ? '0' : chance.pick(['4', '8', '16', '64']) })),
      ...chance.maybe(0.97, () => ({
        memory: chance.chance(0.03) ? '0' : chance.pick(['16Gi', '64Gi', '256Gi', '100Ti', '7Ei']),
      })),
      ...chance.maybe(0.97, () => ({ pods: chance.chance(0.1) ? '2' : '110' })),
      ...chance.maybe(0.8, () => ({ 'ephemeral-storage': chance.pick(['0', '20Gi', '100Gi']) })),
      ...chance.maybe(0.6, () => ({ 'example.com/gpu': chance.pick(['1', '4', '8']) })),
      ...chance.maybe(0.4, () => ({ 'hugepages-2Mi': chance.pick(['0', '3', '100Mi']) })),
      ...chance.maybe(0.3, () => ({ 'kubernetes.io/batch-cpu': '2' })),
    };
  }

  #namespace(name: string): Namespace {
    const chance = this.#chance;
    return {
      metadata: { name, labels: chance.pick<Record<string, string>>([{}, { team: 'x' }, { team: 'y' }]) },
    };
  }

  #owner<Selector>(selector: Selector) {
    const chance = this.#chance;
    return {
      metadata: { namespace: chance.pick(words.NAMESPACES), name: chance.pick(['one', 'two', 'three']) },
      spec: { ...(selector !== undefined && { selector }) },
    };
  }
}
