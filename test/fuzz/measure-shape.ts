import { seeded } from '../support/watch/memory-world.ts';
import type { Shape } from './fuzz-request.ts';
import type { FuzzedApi } from './fuzzed-api.ts';

/** How often a size is measured; the fastest counts, because others keep the processor busy. */
const TIMES = 3;
/** How often where it would be a fault. */
const TIMES_OF_FAULT = 6;
/** Twice the size may cost so many times as much. */
const MOST_RATIO = 2.5;
/** Milliseconds of a processor below which a ratio says nothing. */
const LEAST = 120;
/** Megabytes by which one request may make the process grow. */
const MOST_GROWTH = 700;
/** The measured parts of the greatest size. The dearest body is often the largest one that is not refused early. */
const PARTS = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 3 / 4, 1];

export interface Measured {
  readonly shape: string;
  /** The size that cost the most, the answer to it, and milliseconds of a processor. */
  readonly bytes: number;
  readonly status: number;
  readonly cost: number;
  /** The highest ratio of the costs of a size and its half, where both say something. */
  readonly ratio: number;
  readonly grown: number;
  readonly faults: readonly string[];
}

interface Sample {
  readonly bytes: number;
  status: number;
  cost: number;
  /** Processor milliseconds of the answering thread alone: ratios are taken of these. */
  threadCost: number;
  grown: number;
}

/**
 * Sends the shape at its greatest size and at parts of it.
 *
 * @param most milliseconds of a processor that any size may cost
 */
export async function measureShape(api: FuzzedApi, shape: Shape, most: number): Promise<Measured> {
  for (const request of shape.before ?? []) await api.send(request);
  const samples = PARTS.map((part) => ({ bytes: Math.floor(shape.most * part), ...NOTHING }));
  for (let time = 0; time < TIMES_OF_FAULT; time += 1) {
    const doubtful = samples.filter((sample) => isDoubtful(sample, samples, most));
    const again = time === 0 ? samples : time < TIMES ? doubtful : faultyOf(samples, most);
    if (again.length === 0) break;
    for (const sample of again) await measure(api, shape, sample);
  }
  const dearest = samples.reduce((one, other) => (other.cost > one.cost ? other : one));
  const ratio = Math.max(0, ...samples.map((sample) => ratioOf(sample, samples)));
  const status = Math.max(...samples.map((sample) => sample.status));
  const grown = Math.max(...samples.map((sample) => sample.grown));
  const faults = [
    ...(status >= 500 ? [`it was answered with ${status}`] : []),
    ...samples.flatMap((sample) => faultsOf(sample, samples, most)),
    ...(grown > MOST_GROWTH ? [`the process grew by ${grown.toFixed(0)} MB`] : []),
  ];
  return { shape: shape.name, bytes: dearest.bytes, status, cost: dearest.cost, ratio, grown, faults };
}

const NOTHING = { status: 0, cost: Number.POSITIVE_INFINITY, threadCost: Number.POSITIVE_INFINITY, grown: 0 };

async function measure(api: FuzzedApi, shape: Shape, sample: Sample): Promise<void> {
  const { status, cpu, threadCpu, grown } = await api.send(shape.make(sample.bytes, seeded(1)));
  sample.status = status;
  sample.cost = Math.min(sample.cost, cpu);
  sample.threadCost = Math.min(sample.threadCost, threadCpu);
  sample.grown = Math.max(sample.grown, grown);
}

function faultsOf(sample: Sample, samples: readonly Sample[], most: number): string[] {
  const { bytes, cost } = sample;
  const ratio = ratioOf(sample, samples);
  return [
    ...(cost > most ? [`${bytes} bytes cost ${cost.toFixed(0)} ms, ${most} ms are allowed`] : []),
    ...(ratio > MOST_RATIO ? [`${bytes} bytes cost ${ratio.toFixed(1)} times as much as half of them`] : []),
  ];
}

/** What was measured at a size that would be a fault, and at the half of it. */
function faultyOf(samples: readonly Sample[], most: number): Sample[] {
  const faulty = samples.filter((sample) => faultsOf(sample, samples, most).length > 0);
  return samples.filter((sample) => faulty.some((one) => one === sample || halfOf(one, samples) === sample));
}

/** Whether its cost is near a bound. */
function isDoubtful(sample: Sample, samples: readonly Sample[], most: number): boolean {
  return sample.cost > most / 2 || faultyOf(samples, most).includes(sample);
}

/**
 * How many times as much processor time a size needs as its half. V8 collects garbage on helper threads, more of them
 * as the heap grows, so only the answering thread counts. 0 where a cost is too small to say anything, as that of a half
 * that is refused early.
 */
function ratioOf(sample: Sample, samples: readonly Sample[]): number {
  const half = halfOf(sample, samples);
  if (half === undefined || sample.threadCost <= LEAST || half.threadCost <= LEAST / 4) return 0;
  return sample.threadCost / half.threadCost;
}

function halfOf({ bytes }: Sample, samples: readonly Sample[]): Sample | undefined {
  return samples.find((other) => Math.abs(other.bytes * 2 - bytes) <= 2);
}
