import type {
  Affinity,
  Pod,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '../../../lib/placement/index.ts';
import type { Chance } from './chance.ts';
import { ContainerGrower } from './growing-containers.ts';
import * as words from './vocabulary.ts';

/** Generates pods that kube-apiserver would accept. */
export class PodGrower {
  readonly #chance: Chance;
  readonly #containers: ContainerGrower;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#containers = new ContainerGrower(chance);
  }

  /** A pod that runs, or that waits for its nominated node. */
  held(index: number): Pod {
    const chance = this.#chance;
    const node = chance.pick([...words.NODE_NAMES, 'ghost']);
    const isPromised = chance.chance(0.1);
    const pod = this.#pod(`p${index}`, { rich: 0.35 });
    return {
      metadata: {
        ...pod.metadata,
        ...chance.maybe(0.1, () => ({ deletionTimestamp: '2026-01-01T00:00:00Z' })),
      },
      spec: { ...pod.spec, ...(isPromised ? {} : { nodeName: node }) },
      status: {
        ...pod.status,
        phase: chance.pick(['Running', 'Running', 'Running', 'Running', 'Pending', 'Succeeded', 'Failed']),
        ...(isPromised && { nominatedNodeName: node }),
      },
    };
  }

  asked(index: number): Pod {
    const chance = this.#chance;
    const pod = this.#pod(`asked-${index}`, { rich: 0.7 });
    const { spec } = pod;
    return {
      ...pod,
      spec: {
        ...spec,
        ...chance.maybe(0.03, () => ({ nodeName: chance.pick(words.NODE_NAMES) })),
        ...chance.maybe(0.15, () => ({ nodeSelector: this.#nodeSelector() })),
        ...chance.maybe(0.5, () => ({ topologySpreadConstraints: chance.upTo(3, () => this.#constraint()) })),
      },
      status: {
        ...pod.status,
        ...chance.maybe(0.06, () => ({ nominatedNodeName: chance.pick(words.NODE_NAMES) })),
      },
    };
  }

  #pod(name: string, { rich }: { readonly rich: number }): Pod {
    const chance = this.#chance;
    const { containers, statuses } = this.#containers.several('c', 2);
    const init = chance.chance(0.2) ? this.#containers.several('i', 3) : { containers: [], statuses: [] };
    return {
      metadata: {
        name,
        namespace: chance.pick(words.POD_NAMESPACES),
        uid: name,
        labels: this.labels(),
        ...chance.maybe(0.4, () => ({ ownerReferences: [this.#owner()] })),
      },
      spec: {
        containers: containers.length > 0 ? containers : [{ name: 'only', resources: {} }],
        initContainers: init.containers,
        ...chance.maybe(0.3, () => ({ priority: chance.pick([0, 5, 10, -1]) })),
        ...chance.maybe(0.1, () => ({
          overhead: { cpu: chance.pick(words.CPU), memory: chance.pick(words.MEMORY) },
        })),
        ...chance.maybe(rich, () => ({ affinity: this.#affinity() })),
        ...chance.maybe(0.4, () => ({ tolerations: chance.upTo(3, () => this.#toleration()) })),
      },
      status: {
        containerStatuses: statuses,
        initContainerStatuses: init.statuses,
        ...chance.maybe(0.1, () => ({
          conditions: [{ type: 'PodResizePending', reason: chance.pick(['Infeasible', 'Deferred']) }],
        })),
      },
    };
  }

  labels(): Record<string, string> {
    const chance = this.#chance;
    return {
      ...chance.maybe(0.9, () => ({ app: chance.pick(words.APPS) })),
      ...chance.maybe(0.4, () => ({ tier: chance.pick(['front', 'back']) })),
      ...chance.maybe(0.3, () => ({ version: chance.pick(['1', '2']) })),
    };
  }

  labelSelector(): object {
    const chance = this.#chance;
    const expression = () =>
      chance.pick([
        { key: 'app', operator: 'In', values: chance.sample(words.APPS, 2) },
        { key: 'tier', operator: 'NotIn', values: ['front'] },
        { key: 'tier', operator: 'Exists' },
        { key: 'version', operator: 'DoesNotExist' },
      ]);
    return {
      ...chance.maybe(0.75, () => ({ matchLabels: { app: chance.pick(words.APPS) } })),
      ...chance.maybe(0.25, () => ({ matchExpressions: [expression()] })),
    };
  }

  nodeTerms() {
    const chance = this.#chance;
    if (chance.chance(0.2)) return chance.times(2, () => ({ matchFields: [this.#nodeField()] }));
    return chance.upTo(2, () => this.#nodeTerm());
  }

  preferences() {
    const chance = this.#chance;
    return chance.upTo(3, () => ({ weight: 1 + chance.below(100), preference: this.#nodeTerm() }));
  }

  #nodeSelector(): Record<string, string> {
    const chance = this.#chance;
    return chance.pick<Record<string, string>>([
      {},
      { disk: 'ssd' },
      { disk: 'hdd' },
      { [words.ZONE]: 'z0' },
      { [words.HOSTNAME]: 'n1' },
    ]);
  }

  #nodeTerm() {
    const chance = this.#chance;
    const expression = () =>
      chance.pick([
        { key: 'disk', operator: 'In', values: ['ssd'] },
        { key: words.ZONE, operator: 'In', values: chance.sample(['z0', 'z1', 'z2'], 2) },
        { key: 'disk', operator: 'NotIn', values: ['hdd'] },
        { key: 'rack', operator: 'Exists' },
        { key: 'rack', operator: 'DoesNotExist' },
        { key: 'cores', operator: 'Gt', values: ['8'] },
        { key: 'cores', operator: 'Lt', values: ['16'] },
      ]);
    return {
      ...chance.maybe(0.85, () => ({ matchExpressions: chance.upTo(2, expression) })),
      ...chance.maybe(0.2, () => ({ matchFields: chance.upTo(2, () => this.#nodeField()) })),
    };
  }

  #nodeField() {
    const chance = this.#chance;
    return {
      key: 'metadata.name',
      operator: chance.pick(['In', 'In', 'In', 'NotIn']),
      values: [chance.pick([...words.NODE_NAMES, 'ghost'])],
    };
  }

  #affinity(): Affinity {
    const chance = this.#chance;
    return {
      ...chance.maybe(0.35, () => ({
        nodeAffinity: {
          ...chance.maybe(0.6, () => ({
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: this.nodeTerms() },
          })),
          ...chance.maybe(0.5, () => ({
            preferredDuringSchedulingIgnoredDuringExecution: this.preferences(),
          })),
        },
      })),
      ...chance.maybe(0.5, () => ({ podAffinity: this.#podAffinity() })),
      ...chance.maybe(0.5, () => ({ podAntiAffinity: this.#podAffinity() })),
    };
  }

  #podAffinity() {
    const chance = this.#chance;
    return {
      ...chance.maybe(0.5, () => ({
        requiredDuringSchedulingIgnoredDuringExecution: chance.upTo(2, () => this.#podTerm()),
      })),
      ...chance.maybe(0.5, () => ({
        preferredDuringSchedulingIgnoredDuringExecution: chance.upTo(2, () => ({
          weight: 1 + chance.below(100),
          podAffinityTerm: this.#podTerm(),
        })),
      })),
    };
  }

  #podTerm(): PodAffinityTerm {
    const chance = this.#chance;
    const namespaceSelector = () =>
      chance.pick([
        {},
        { matchLabels: { team: 'x' } },
        { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] },
        { matchExpressions: [{ key: 'team', operator: 'In', values: ['x', 'y'] }] },
      ]);
    return {
      topologyKey: chance.pick(words.TOPOLOGY_KEYS),
      ...chance.maybe(0.92, () => ({ labelSelector: this.labelSelector() })),
      ...chance.maybe(0.2, () => ({ namespaces: chance.sample(words.NAMESPACES, 2) })),
      ...chance.maybe(0.3, () => ({ namespaceSelector: namespaceSelector() })),
    };
  }

  #constraint(): TopologySpreadConstraint {
    const chance = this.#chance;
    const whenUnsatisfiable = chance.pick(['DoNotSchedule', 'ScheduleAnyway']);
    return {
      maxSkew: chance.pick([1, 1, 1, 2, 3]),
      topologyKey: chance.pick(words.TOPOLOGY_KEYS),
      whenUnsatisfiable,
      ...chance.maybe(0.9, () => ({ labelSelector: this.labelSelector() })),
      ...(whenUnsatisfiable === 'DoNotSchedule' &&
        chance.maybe(0.3, () => ({ minDomains: 1 + chance.below(4) }))),
      ...chance.maybe(0.3, () => ({ nodeAffinityPolicy: chance.pick(['Honor', 'Ignore']) })),
      ...chance.maybe(0.3, () => ({ nodeTaintsPolicy: chance.pick(['Honor', 'Ignore']) })),
      ...chance.maybe(0.2, () => ({ matchLabelKeys: chance.sample(['version', 'tier', 'none'], 2) })),
    };
  }

  #toleration(): Toleration {
    const chance = this.#chance;
    const isEqual = chance.chance(0.5);
    return {
      ...(isEqual || chance.chance(0.85) ? { key: chance.pick(words.TAINT_KEYS) } : {}),
      ...(isEqual ? { value: chance.pick(['', 'a', 'b']) } : { operator: 'Exists' }),
      ...(isEqual && chance.maybe(0.5, () => ({ operator: 'Equal' }))),
      ...chance.maybe(0.5, () => ({ effect: chance.pick(words.EFFECTS) })),
    };
  }

  #owner() {
    const chance = this.#chance;
    const [apiVersion, kind] = chance.pick([
      ['v1', 'ReplicationController'],
      ['apps/v1', 'ReplicaSet'],
      ['apps/v1', 'StatefulSet'],
      ['apps/v1beta1', 'StatefulSet'],
      ['batch/v1', 'Job'],
    ] as const);
    return { apiVersion, kind, name: chance.pick(['one', 'two']), uid: 'u', controller: chance.chance(0.9) };
  }
}
