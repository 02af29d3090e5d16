import type { Node, Pod, Service } from '../../../lib/kubernetes/endpoints/index.ts';
import type { Chance } from '../placement/chance.ts';
import * as words from './vocabulary.ts';

/** Generates the objects of a world, as kube-apiserver would store them. */
export class Grower {
  readonly #chance: Chance;
  #made = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  service(): Service {
    const chance = this.#chance;
    const headless = chance.chance(0.4);
    const [ipFamilies] = chance.sample(words.FAMILIES, 1);
    return {
      metadata: {
        name: 'web',
        namespace: words.NAMESPACE,
        uid: this.#uid('service'),
        labels: chance.pick(words.LABELS),
        annotations: chance.pick(words.ANNOTATIONS),
      },
      spec: {
        type: 'ClusterIP',
        selector: { app: 'web' },
        clusterIP: headless ? 'None' : '10.96.0.7',
        ipFamilies,
        ports: headless && chance.chance(0.3) ? [] : this.servicePorts(),
        publishNotReadyAddresses: chance.chance(0.2),
        trafficDistribution: chance.maybe(0.5, () => 'PreferClose'),
      },
    };
  }

  servicePorts() {
    const chance = this.#chance;
    const names = chance.sample(words.PORT_NAMES, 1 + chance.below(3));
    return names.map((name) => ({
      name: names.length === 1 && chance.chance(0.5) ? '' : name,
      protocol: chance.pick(words.PROTOCOLS),
      port: chance.pick(words.PORTS),
      targetPort: chance.chance(0.5) ? chance.pick(words.PORTS) : chance.pick(words.PORT_NAMES),
      appProtocol: chance.maybe(0.2, () => 'kubernetes.io/h2c'),
    }));
  }

  pod(index: number): Pod {
    const chance = this.#chance;
    const container = () => ({ ports: this.#containerPorts() });
    return {
      metadata: {
        name: `web-${String(index).padStart(4, '0')}`,
        namespace: words.NAMESPACE,
        uid: this.#uid('pod'),
        labels: { app: 'web' },
        deletionTimestamp: chance.maybe(0.1, () => '2026-01-02T03:04:05Z'),
      },
      spec: {
        nodeName: chance.maybe(0.8, () => chance.pick(words.NODES)),
        hostname: chance.maybe(0.3, () => `host-${index}`),
        subdomain: chance.maybe(0.5, () => chance.pick(['web', 'other'])),
        containers: [container()],
        initContainers: chance.upTo(1, () => ({
          restartPolicy: chance.maybe(0.5, () => 'Always'),
          ...container(),
        })),
      },
      status: this.#status(index),
    };
  }

  /** A pod like many others. */
  plainPod(index: number): Pod {
    return {
      metadata: {
        name: `web-${String(index).padStart(4, '0')}`,
        namespace: words.NAMESPACE,
        uid: `pod-${index}`,
        labels: { app: 'web' },
      },
      spec: { nodeName: 'node-a', containers: [{ ports: [] }] },
      status: {
        ...addresses([`10.${index >> 8}.${index & 255}.1`]),
        phase: 'Running',
        conditions: [{ type: 'Ready', status: this.#chance.chance(0.8) ? 'True' : 'False' }],
      },
    };
  }

  nodes(): Node[] {
    const there = words.NODES.slice(0, 3).filter(() => this.#chance.chance(0.8));
    return there.map((name) => ({ metadata: { name, labels: this.#chance.pick(words.ZONES) } }));
  }

  #status(index: number) {
    const chance = this.#chance;
    const families = [`10.0.0.${index % 250}`, words.IPV6(index)];
    const own = chance.chance(0.1) ? [] : chance.sample(families, 1 + chance.below(2));
    return {
      ...addresses(own),
      phase: chance.chance(0.05) ? 'Succeeded' : 'Running',
      conditions: [{ type: 'Ready', status: chance.chance(0.7) ? 'True' : 'False' }],
    };
  }

  #containerPorts() {
    const chance = this.#chance;
    return chance.sample(words.PORT_NAMES, chance.below(4)).map((name) => ({
      name,
      protocol: chance.pick(words.PROTOCOLS),
      containerPort: chance.pick([8080, 8080, 9090]),
    }));
  }

  #uid(kind: string): string {
    this.#made += 1;
    return `${kind}-${this.#made}`;
  }
}

function addresses(all: readonly string[]) {
  return { podIP: all[0], podIPs: all.map((ip) => ({ ip })) };
}
