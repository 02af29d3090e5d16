import type { ContainerPort, NetworkPolicy, Protocol } from '../../../lib/kubernetes/reachability/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import { Chance } from '../placement/chance.ts';
import { PolicyGrower } from './growing-policy.ts';
import * as words from './vocabulary.ts';

/** A cluster, and connections in it to decide. */
export interface World {
  readonly namespaces: Readonly<Record<string, Labels>>;
  readonly pods: readonly WorldPod[];
  readonly policies: readonly NetworkPolicy[];
  readonly asked: readonly Connection[];
}

export interface WorldPod {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  /** One address of each family. */
  readonly addresses: readonly string[];
  readonly ports: readonly ContainerPort[];
}

export interface Connection {
  readonly from: WorldEnd;
  readonly to: WorldEnd;
  readonly port: number;
  readonly protocol: Protocol;
}

/** A pod, by its index in the world's list, with the address that it uses; or an address outside the cluster. */
export interface WorldEnd {
  readonly pod?: number;
  readonly address: string;
}

const ASKED = 12;
const PODS = 7;
const POLICIES = 6;

/** The worlds of a seed, always the same and in the same order. */
export class Worlds {
  readonly #chance: Chance;
  readonly #policies: PolicyGrower;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
    this.#policies = new PolicyGrower(this.#chance);
  }

  next(): World {
    const chance = this.#chance;
    const pods = chance.times(2 + chance.below(PODS), (index) => this.#pod(index));
    return {
      namespaces: Object.fromEntries(words.NAMESPACES.map((name) => [name, this.#policies.labels()])),
      pods,
      policies: chance.times(chance.below(POLICIES + 1), (index) => this.#policies.policy(index)),
      asked: chance.times(ASKED, () => this.#connection(pods)),
    };
  }

  #pod(index: number): WorldPod {
    const chance = this.#chance;
    return {
      namespace: chance.pick(words.NAMESPACES),
      name: `pod-${index}`,
      labels: this.#policies.labels(),
      addresses: [`10.0.${chance.below(4)}.${index + 1}`, `fd00::${chance.below(4)}:${index + 1}`],
      ports: this.#ports(),
    };
  }

  /** Named ports. No name occurs twice, and a number with its protocol has at most one name. */
  #ports(): ContainerPort[] {
    const chance = this.#chance;
    const names = chance.sample(words.PORT_NAMES, chance.below(words.PORT_NAMES.length + 1));
    const ports = names.map((name) => ({
      name,
      port: chance.pick(words.PORTS),
      protocol: chance.pick(words.PROTOCOLS),
    }));
    const placeOf = ({ port, protocol }: ContainerPort) => `${protocol} ${port}`;
    return ports.filter((one, at) => ports.findIndex((other) => placeOf(other) === placeOf(one)) === at);
  }

  #connection(pods: readonly WorldPod[]): Connection {
    const chance = this.#chance;
    const family = chance.chance(0.7) ? 0 : 1;
    const [from = 0, to = 1] = chance.sample([...pods.keys()], 2);
    const outside = () => ({ address: chance.pick(family === 0 ? words.OUTSIDE_IPV4 : words.OUTSIDE_IPV6) });
    const end = (pod: number) => ({ pod, address: pods[pod]?.addresses[family] ?? '' });
    const sides = chance.below(10);
    const declared = pods[to]?.ports ?? [];
    const { port, protocol } =
      declared.length > 0 && chance.chance(0.5)
        ? chance.pick(declared)
        : { port: chance.pick(words.PORTS), protocol: chance.pick(words.PROTOCOLS) };
    return {
      from: sides === 0 ? outside() : end(from),
      to: sides === 1 ? outside() : end(to),
      port,
      protocol,
    };
  }
}
