import type {
  Changes,
  EndpointSlice,
  Endpoints,
  Node,
  Pod,
  Service,
} from '../../../lib/kubernetes/endpoints/index.ts';
import { Chance } from '../placement/chance.ts';
import { derived } from './answer.ts';
import { Grower } from './grower.ts';

/** A step of a world: the current objects. The slices and Endpoints are those of the step before. */
export interface Question {
  readonly service: Service;
  /** By name. */
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly slices: readonly EndpointSlice[];
  readonly endpoints: Endpoints | undefined;
  readonly mostInSlice: number;
}

/** The number of questions in one world. */
export const STEPS = 12;
const PODS = 14;
/** One of this many worlds has more pods than Endpoints may list, and slices of 100. */
export const CROWDED = 50;
const CROWD = 1100;

/** The worlds of a seed, step by step, always the same. */
export class Worlds {
  readonly #chance: Chance;
  readonly #grower: Grower;
  #now: Question | undefined;
  #step = 0;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
    this.#grower = new Grower(this.#chance);
  }

  next(): Question {
    this.#now = this.#now === undefined || this.#step % STEPS === 0 ? this.#first() : this.#later(this.#now);
    this.#step += 1;
    return this.#now;
  }

  #first(): Question {
    const chance = this.#chance;
    const isCrowded = this.#step % (CROWDED * STEPS) === (CROWDED - 1) * STEPS;
    const service = this.#grower.service();
    return {
      service: isCrowded ? { ...service, spec: { ...service.spec, ports: [PLAIN_PORT] } } : service,
      pods: isCrowded
        ? chance.times(CROWD + chance.below(200), (index) => this.#grower.plainPod(index))
        : chance.times(chance.below(PODS), (index) => this.#grower.pod(index)),
      nodes: this.#grower.nodes(),
      slices: [],
      endpoints: undefined,
      mostInSlice: isCrowded ? 100 : 1 + chance.below(4),
    };
  }

  /** The world after the answer to the last step is written and something else changes. */
  #later(before: Question): Question {
    const { slices, endpoints } = derived(before);
    const [found] = written([before.endpoints].filter(isThere), endpoints);
    let now: Question = { ...before, slices: written(before.slices, slices), endpoints: found };
    for (let changes = 1 + this.#chance.below(3); changes > 0; changes -= 1) now = this.#changed(now);
    return now;
  }

  #changed(now: Question): Question {
    const chance = this.#chance;
    switch (chance.below(12)) {
      case 0:
        return { ...now, nodes: this.#grower.nodes() };
      case 1:
      case 2:
        return { ...now, service: this.#changedService(now) };
      case 3:
        return { ...now, slices: this.#changedSlices(now.slices) };
      case 4:
        return chance.chance(0.5) ? { ...now, endpoints: undefined } : now;
      case 5:
        return { ...now, pods: now.pods.filter(() => chance.chance(0.7)) };
      default:
        return { ...now, pods: this.#changedPods(now) };
    }
  }

  /** Replaces a pod by another of its name, adds one, or changes a part of one. */
  #changedPods({ pods, mostInSlice }: Question): Pod[] {
    const chance = this.#chance;
    const index = chance.below(mostInSlice === 100 ? CROWD + 200 : PODS);
    const made = mostInSlice === 100 ? this.#grower.plainPod(index) : this.#grower.pod(index);
    const there = pods.find(({ metadata }) => metadata.name === made.metadata.name);
    const part = chance.pick(['metadata', 'spec', 'status', 'all'] as const);
    const pod = there === undefined || part === 'all' ? made : { ...there, [part]: made[part] };
    const others = pods.filter((one) => one !== there);
    return [...others, pod].toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  }

  #changedService({ service, mostInSlice }: Question): Service {
    const chance = this.#chance;
    const other = this.#grower.service();
    if (chance.chance(0.1)) return { ...service, metadata: other.metadata };
    if (chance.chance(0.05)) {
      return { ...service, metadata: { ...service.metadata, deletionTimestamp: '2026-01-02T03:04:05Z' } };
    }
    if (chance.chance(0.3)) {
      const { labels, annotations } = other.metadata;
      return { ...service, metadata: { ...service.metadata, labels, annotations } };
    }
    const fields = ['ports', 'publishNotReadyAddresses', 'trafficDistribution', 'ipFamilies'] as const;
    const field = chance.pick(mostInSlice === 100 ? fields.slice(1) : fields);
    return { ...service, spec: { ...service.spec, [field]: other.spec?.[field] } };
  }

  /** Edits or deletes slices, as another client might. */
  #changedSlices(slices: readonly EndpointSlice[]): EndpointSlice[] {
    const chance = this.#chance;
    return slices.flatMap((slice) => {
      const { metadata, endpoints } = slice;
      switch (chance.below(6)) {
        case 0:
          return [];
        case 1:
          return [{ ...slice, endpoints: endpoints?.slice(1) }];
        case 2:
          return [{ ...slice, metadata: { ...metadata, labels: { ...metadata.labels, extra: 'yes' } } }];
        case 3:
          return [
            { ...slice, metadata: { ...metadata, annotations: { [LAST_CHANGE]: 'then', note: 'kept' } } },
          ];
        case 4:
          return [{ ...slice, endpoints: endpoints?.map(({ hints: _, ...endpoint }) => endpoint) }];
        default:
          return [slice];
      }
    });
  }
}

const LAST_CHANGE = 'endpoints.kubernetes.io/last-change-trigger-time';
const PLAIN_PORT = { name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 };

/** The objects after changes are written. */
function written<Kind extends EndpointSlice | Endpoints>(
  before: readonly Kind[],
  changes: Changes<Kind>,
): Kind[] {
  const changed = [...changes.update, ...changes.delete].map(({ metadata }) => metadata.name);
  const kept = before.filter(({ metadata }) => !changed.includes(metadata.name));
  const stored = [...kept, ...changes.update, ...changes.create].map(({ metadata, ...object }) => ({
    ...object,
    metadata: { ...metadata, resourceVersion: '1' },
  }));
  return JSON.parse(JSON.stringify(stored));
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
