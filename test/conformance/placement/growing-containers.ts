import type { Container, ContainerStatus } from '../../../lib/placement/index.ts';
import type { Chance } from './chance.ts';
import * as words from './vocabulary.ts';

/** Generates containers, some with host ports, with amounts that need rounding and more than 53 bits. */
export class ContainerGrower {
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Generates one to `most` containers, named by a prefix, and the statuses of some of them. */
  several(prefix: string, most: number): { containers: Container[]; statuses: ContainerStatus[] } {
    const chance = this.#chance;
    const containers = chance.times(1 + chance.below(most), (index) => this.#container(`${prefix}${index}`));
    const statuses = containers.flatMap(({ name = '' }) => chance.maybe(0.1, () => this.#status(name)) ?? []);
    return { containers, statuses };
  }

  #container(name: string): Container {
    const chance = this.#chance;
    const port = () => ({
      containerPort: 80,
      ...chance.maybe(0.9, () => ({ hostPort: 8000 + chance.below(3) })),
      ...chance.maybe(0.5, () => ({ hostIP: chance.pick(['0.0.0.0', '10.0.0.1', '10.0.0.2', '']) })),
      ...chance.maybe(0.7, () => ({ protocol: chance.pick(['TCP', 'UDP']) })),
    });
    return {
      name,
      image: chance.pick(words.CONTAINER_IMAGES),
      resources: { requests: this.#requests() },
      ...(name.startsWith('i') && chance.maybe(0.4, () => ({ restartPolicy: 'Always' }))),
      ...chance.maybe(0.25, () => ({ ports: chance.upTo(2, port) })),
    };
  }

  #status(name: string): ContainerStatus {
    const chance = this.#chance;
    return {
      name,
      ...chance.maybe(0.7, () => ({ allocatedResources: this.#requests() })),
      ...chance.maybe(0.8, () => ({ resources: { requests: this.#requests() } })),
    };
  }

  #requests(): Record<string, string> {
    const chance = this.#chance;
    return {
      ...chance.maybe(0.7, () => ({ cpu: chance.pick(words.CPU) })),
      ...chance.maybe(0.7, () => ({ memory: chance.pick(words.MEMORY) })),
      ...chance.maybe(0.02, () => ({ memory: chance.pick(['120Ti', '3Pi', '9Pi', '2Ei']) })),
      ...chance.maybe(0.1, () => ({ 'ephemeral-storage': chance.pick(words.STORAGE) })),
      ...chance.maybe(0.08, () => ({ [chance.pick(words.SCALARS)]: chance.pick(words.COUNTS) })),
    };
  }
}
