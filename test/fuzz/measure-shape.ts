import { seeded } from '../support/watch/memory-world.ts';
import type { Shape } from './fuzz-request.ts';
import type { FuzzedApi } from './fuzzed-api.ts';

/** How often a size is measured; the fastest counts, because others keep the processor busy. */
const TIMES = 3;
/** Twice the size may cost so many times as much. */
const MOST_RATIO = 2.5;
/** Milliseconds of a processor below which a ratio says nothing. */
const LEAST = 120;
/** Megabytes by which one request may make the process grow. */
const MOST_GROWTH = 700;

export interface Measured {
  readonly shape: string;
  readonly bytes: number;
  readonly status: number;
  /** Milliseconds of a processor at a half, and at the whole of the greatest size. */
  readonly half: number;
  readonly whole: number;
  readonly grown: number;
  readonly faults: readonly string[];
}

/**
 * Sends the shape at its greatest size and at half of it.
 *
 * @param most milliseconds of a processor that the greatest size may cost
 */
export async function measureShape(api: FuzzedApi, shape: Shape, most: number): Promise<Measured> {
  const send = (bytes: number) => api.send(shape.make(bytes, seeded(1)));
  for (const request of shape.before ?? []) await api.send(request);
  for (const share of [64, 16, 8]) await send(shape.most / share);
  let [half, whole, grown, status] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (let time = 0; time < TIMES * 2; time += 1) {
    const small = await send(shape.most / 2);
    const large = await send(shape.most);
    half = Math.min(half, small.cpu);
    whole = Math.min(whole, large.cpu);
    grown = Math.max(grown, large.grown);
    status = Math.max(small.status, large.status);
    // More measurements only where one would be a fault.
    if (time >= TIMES - 1 && whole <= most && !isSteep(half, whole)) break;
    if (time === 0 && whole < LEAST) break;
  }
  const faults = [
    ...(status >= 500 ? [`it was answered with ${status}`] : []),
    ...(whole > most ? [`it cost ${whole.toFixed(0)} ms, ${most} ms are allowed`] : []),
    ...(isSteep(half, whole) ? [`twice the size cost ${(whole / half).toFixed(1)} times as much`] : []),
    ...(grown > MOST_GROWTH ? [`the process grew by ${grown.toFixed(0)} MB`] : []),
  ];
  return { shape: shape.name, bytes: shape.most, status, half, whole, grown, faults };
}

/** A shape that is refused early at its half costs nothing there. */
function isSteep(half: number, whole: number): boolean {
  return whole > LEAST && half > LEAST / 4 && whole / half > MOST_RATIO;
}
