import type { NetworkPolicy } from '../../../lib/kubernetes/reachability/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import type { Chance } from '../placement/chance.ts';
import * as words from './vocabulary.ts';

/** Generates NetworkPolicies that kube-apiserver would store, with and without default values. */
export class PolicyGrower {
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  labels(): Labels {
    const chance = this.#chance;
    const keys = chance.sample(words.KEYS, chance.below(words.KEYS.length + 1));
    return Object.fromEntries(keys.map((key) => [key, chance.pick(words.VALUES)]));
  }

  policy(index: number): NetworkPolicy {
    const chance = this.#chance;
    const types = [null, [], ['Ingress'], ['Egress'], ['Ingress', 'Egress'], ['Egress', 'Ingress']];
    return {
      metadata: { namespace: chance.pick(words.NAMESPACES), name: `policy-${index}` },
      spec: {
        ...chance.maybe(0.9, () => ({ podSelector: this.#selector(0.4) })),
        ...chance.maybe(0.9, () => ({ policyTypes: chance.pick(types) })),
        ingress: this.#list(3, () => this.#rule('from')),
        egress: this.#list(3, () => this.#rule('to')),
      },
    };
  }

  /** A list that is absent, null, empty, or has elements. */
  #list<T>(most: number, make: () => T): T[] | null | undefined {
    const chance = this.#chance;
    if (chance.chance(0.3)) return chance.chance(0.5) ? null : undefined;
    return chance.upTo(most, make);
  }

  #rule(side: 'from' | 'to') {
    const chance = this.#chance;
    const ports = chance.chance(0.6) ? this.#list(1, () => this.#port()) : this.#list(3, () => this.#port());
    return { [side]: this.#list(2, () => this.#peer()), ports };
  }

  #peer() {
    const chance = this.#chance;
    switch (chance.below(4)) {
      case 0:
        return { ipBlock: { cidr: chance.pick(words.RANGES), except: this.#except() } };
      case 1:
        return { podSelector: this.#selector(0.3) };
      case 2:
        return { namespaceSelector: this.#selector(0.3) };
      default:
        return { podSelector: this.#selector(0.3), namespaceSelector: this.#selector(0.3) };
    }
  }

  #except(): string[] | null | undefined {
    return this.#list(2, () => this.#chance.pick(words.RANGES));
  }

  #port() {
    const chance = this.#chance;
    const protocol = chance.maybe(0.6, () => ({ protocol: chance.pick(words.PROTOCOLS) }));
    switch (chance.below(4)) {
      case 0:
        return { ...protocol };
      case 1:
        return { ...protocol, port: chance.pick(words.PORT_NAMES) };
      case 2: {
        const port = chance.pick(words.PORTS);
        return { ...protocol, port, endPort: port + chance.pick([0, 1, 400, 9000]) };
      }
      default:
        return { ...protocol, port: chance.pick(words.PORTS) };
    }
  }

  #selector(emptiness: number) {
    const chance = this.#chance;
    if (chance.chance(emptiness)) return {};
    return {
      ...chance.maybe(0.6, () => ({ matchLabels: this.labels() })),
      ...chance.maybe(0.5, () => ({ matchExpressions: chance.upTo(2, () => this.#expression()) })),
    };
  }

  #expression() {
    const chance = this.#chance;
    const operator = chance.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const values = chance.sample(words.VALUES, 1 + chance.below(2));
    return { key: chance.pick(words.KEYS), operator, ...(operator.endsWith('In') && { values }) };
  }
}
