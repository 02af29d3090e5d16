import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import { Chance } from '../placement/chance.ts';

const LABELS = [
  'a',
  'beta.kubernetes.io/arch',
  'failure-domain.beta.kubernetes.io/zone',
  'node-role.kubernetes.io/master',
];
const ANNOTATIONS = [
  'a',
  'scheduler.alpha.kubernetes.io/critical-pod',
  'security.alpha.kubernetes.io/sysctls',
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/c0',
  'container.apparmor.security.beta.kubernetes.io/c1',
  'volume.beta.kubernetes.io/storage-class',
  'volume.beta.kubernetes.io/mount-options',
  'service.kubernetes.io/topology-aware-hints',
];
const ADDRESSES = [
  ...['10.0.0.1', '010.0.0.1', '1.2.3.004', '2001:db8::1', '2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
  ...['::ffff:1.2.3.4', '::', '1:0:0:2:0:0:0:3', '::1:2', 'fe80::0'],
];
const RANGES = [
  ...['10.0.0.0/8', '10.1.2.3/8', '010.0.0.0/8', '1.2.3.4/32', '0.0.0.0/0', '2001:db8::/32'],
  ...[
    '2001:DB8::/32',
    '2001:db8::1/32',
    '::ffff:1.2.3.0/120',
    '::ffff:1.2.3.4/120',
    '2001:db8:0::/48',
    '::/0',
  ],
];
const AMOUNTS = ['1', '1500m', '1Gi', '100m', '1.5', '0'];
const PATHS = ['a', 'a/b', 'a/b/', 'ab', 'a/b/c', 'b', 'a/', 'c//d', 'c'];
const VALUES = ['a', '-', 'a b', ''];
const PLUGINS = [
  ...['photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'cephfs', 'rbd'],
  ...['gitRepo', 'flocker', 'quobyte', 'emptyDir'],
];
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** An object of a kind that Kubernetes warns of. */
export interface Question {
  readonly kind: string;
  readonly body: JsonObject;
}

/** Generates objects of few words, so that warnings are frequent. */
export class Objects {
  readonly #chance: Chance;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  next(): Question {
    const make = this.#chance.pick([
      () => ({ kind: 'Pod', body: this.#pod() }),
      () => ({ kind: 'Pod', body: this.#pod() }),
      () => ({ kind: 'apps/DaemonSet', body: { metadata: { name: 'a' }, spec: { template: this.#pod() } } }),
      () => ({ kind: 'Service', body: this.#service() }),
      () => ({ kind: 'PersistentVolume', body: this.#persistentVolume() }),
      () => ({ kind: 'PersistentVolumeClaim', body: { ...this.#annotated(), spec: this.#claimSpec() } }),
    ]);
    return make();
  }

  #annotated(): JsonObject {
    const names = this.#chance.upTo(2, () => this.#chance.pick(ANNOTATIONS));
    return { metadata: { name: 'a', annotations: Object.fromEntries(names.map((name) => [name, 'a'])) } };
  }

  #pod(): JsonObject {
    const chance = this.#chance;
    return {
      ...this.#annotated(),
      spec: present({
        nodeSelector: chance.maybe(0.2, () => ({ [chance.pick(LABELS)]: 'a' })),
        affinity: chance.maybe(0.3, () => this.#affinity()),
        topologySpreadConstraints: chance.maybe(0.2, () => [
          present({
            topologyKey: chance.pick(LABELS),
            maxSkew: 1,
            labelSelector: chance.maybe(0.5, () => ({})),
          }),
        ]),
        volumes: chance.upTo(3, () => this.#volume()),
        hostAliases: chance.upTo(3, () => ({ ip: chance.pick(ADDRESSES) })),
        imagePullSecrets: chance.upTo(3, () => ({ name: chance.pick(['a', 'b', '']) })),
        overhead: chance.maybe(0.2, () => this.#amounts()),
        securityContext: chance.maybe(0.3, () => this.#profiles()),
        dnsConfig: chance.maybe(0.3, () => ({ nameservers: chance.upTo(2, () => chance.pick(ADDRESSES)) })),
        // Kubernetes changes a negative period of a pod to 1 before it warns.
        terminationGracePeriodSeconds: 30,
        initContainers: chance.upTo(1, () => this.#container('i')),
        containers: chance.times(2, (at) => this.#container(`c${at}`)),
      }),
    };
  }

  #profiles(): JsonObject {
    const profile = () => ({ type: 'RuntimeDefault' });
    return present({
      seccompProfile: this.#chance.maybe(0.5, profile),
      appArmorProfile: this.#chance.maybe(0.5, profile),
    });
  }

  #amounts(): JsonObject {
    const names = this.#chance.upTo(3, () => this.#chance.pick(['cpu', 'memory', 'ephemeral-storage']));
    return Object.fromEntries(names.map((name) => [name, this.#chance.pick(AMOUNTS)]));
  }

  #container(name: string): JsonObject {
    const chance = this.#chance;
    return present({
      name,
      resources: { limits: this.#amounts(), requests: this.#amounts() },
      env: chance.upTo(3, () =>
        present({
          name: chance.pick(['A', 'B']),
          value: chance.maybe(0.7, () => chance.pick(['a', '$(A)', '$(A):b', 'b$(B)'])),
        }),
      ),
      ports: chance.upTo(3, () =>
        present({
          name: chance.maybe(0.5, () => chance.pick(['p', 'q'])),
          containerPort: chance.pick([80, 81]),
          protocol: chance.pick(['TCP', 'UDP']),
          hostPort: chance.maybe(0.5, () => chance.pick([1, 2])),
          hostIP: chance.maybe(0.4, () => chance.pick(['1.1.1.1', '1.1.1.2'])),
        }),
      ),
      securityContext: chance.maybe(0.3, () => this.#profiles()),
    });
  }

  #term(): JsonObject {
    const chance = this.#chance;
    const matchExpressions = chance.upTo(2, () => ({
      key: chance.pick(LABELS),
      operator: 'In',
      values: chance.upTo(2, () => chance.pick(VALUES)),
    }));
    return { matchExpressions };
  }

  #affinity(): JsonObject {
    const chance = this.#chance;
    const ofPods = () => {
      const term = () =>
        present({ topologyKey: 'a', labelSelector: chance.maybe(0.5, () => ({ matchLabels: { a: 'b' } })) });
      return {
        [REQUIRED]: chance.upTo(2, term),
        [PREFERRED]: chance.upTo(2, () => ({ weight: 1, podAffinityTerm: term() })),
      };
    };
    return present({
      nodeAffinity: chance.maybe(0.5, () => ({
        [REQUIRED]: { nodeSelectorTerms: chance.upTo(2, () => this.#term()) },
        [PREFERRED]: chance.upTo(2, () => ({ weight: 1, preference: this.#term() })),
      })),
      podAffinity: chance.maybe(0.5, ofPods),
      podAntiAffinity: chance.maybe(0.5, ofPods),
    });
  }

  #volume(): JsonObject {
    const chance = this.#chance;
    const items = () => chance.upTo(3, () => ({ key: 'k', path: chance.pick(PATHS) }));
    const fields = () => chance.upTo(3, () => ({ path: chance.pick(PATHS) }));
    const source = () =>
      chance.pick<() => JsonObject>([
        () => ({ configMap: { name: 'm', items: items() } }),
        () => ({ secret: { name: 's', items: items() } }),
        () => ({ downwardAPI: { items: fields() } }),
        () => ({ serviceAccountToken: { path: chance.pick(PATHS) } }),
        () => ({ clusterTrustBundle: { name: 'b', path: chance.pick(PATHS) } }),
        () => ({ clusterTrustBundle: { signerName: 'example.com/s', path: chance.pick(PATHS) } }),
        () => ({}),
      ])();
    const make = chance.pick<() => JsonObject>([
      () => ({ configMap: { name: 'm', items: items() } }),
      () => ({ secret: { secretName: 's', items: items() } }),
      () => ({ downwardAPI: { items: fields() } }),
      () => ({ projected: { sources: chance.upTo(3, source) } }),
      () => ({ ephemeral: { volumeClaimTemplate: { spec: this.#claimSpec() } } }),
      () => ({ [chance.pick(PLUGINS)]: {} }),
    ]);
    return { name: 'v', ...make() };
  }

  #claimSpec(): JsonObject {
    const storage = () => ({ storage: this.#chance.pick(AMOUNTS) });
    return {
      resources: present({
        requests: this.#chance.maybe(0.7, storage),
        limits: this.#chance.maybe(0.3, storage),
      }),
    };
  }

  #persistentVolume(): JsonObject {
    const chance = this.#chance;
    return {
      ...this.#annotated(),
      spec: present({
        persistentVolumeReclaimPolicy: chance.pick(['Retain', 'Recycle']),
        nodeAffinity: chance.maybe(0.5, () => ({
          required: { nodeSelectorTerms: chance.upTo(2, () => this.#term()) },
        })),
        [chance.pick(PLUGINS.slice(0, 6))]: {},
      }),
    };
  }

  #service(): JsonObject {
    const chance = this.#chance;
    const clusterIP = chance.pick(['None', ...ADDRESSES]);
    return {
      ...this.#annotated(),
      spec: present({
        type: chance.pick(['ClusterIP', 'LoadBalancer', 'ExternalName']),
        clusterIP,
        clusterIPs: [clusterIP],
        externalIPs: chance.upTo(2, () => chance.pick(ADDRESSES)),
        externalName: chance.maybe(0.3, () => 'a.example'),
        loadBalancerIP: chance.maybe(0.3, () => chance.pick(ADDRESSES)),
        loadBalancerSourceRanges: chance.upTo(3, () => chance.pick(RANGES)),
      }),
    };
  }
}

/** Leaves out what is undefined, as JSON does. */
function present(value: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
