import type { StreamName } from './inputs/stream.ts';
import type { WorkloadName } from './inputs/workload.ts';

/** The ratios to reach, on the peers and sizes they were set for. */
export const EVENT_RULER_BARS: Record<StreamName, Record<WorkloadName, number>> = {
  U: { A: 130, B: 70, C: 180, D: 9 },
  R: { A: 400, B: 100, C: 180, D: 9 },
};
export const EVENT_RULER_BAR_SIZE = 100_000;
/** event-ruler's heap to ours, at a million. */
export const MEMORY_BAR = 15;
export const MEMORY_BAR_SIZE = 1_000_000;
/** The slowest growth from 10,000 to 1,000,000 that will do: then to now. */
export const GROWTH_BAR = 2;
/** Typed decoding and defaults of a Deployment of 2 KB take at most so many µs. */
export const DECODE_BAR = 150;
/** Who asks whom: see docs/benchmarks.md. */
export type Form = 'map' | 'object' | 'list' | 'dispatch' | 'interned';

/** Go's nanoseconds to ours; undefined where nothing is promised. */
export function selectorBar(form: Form, requirements: number): number | undefined {
  switch (form) {
    case 'map':
      return 1;
    case 'object':
      return 0.5;
    case 'list':
    case 'dispatch':
      return requirements >= 6 ? 6 : 4;
    case 'interned':
      return undefined;
    default:
      throw form satisfies never;
  }
}

/** The columns that say whether a bar is reached. */
export function against(bar: number | undefined, ratio: number): { bar: number; reached: boolean } | object {
  return bar === undefined ? {} : { bar, reached: ratio >= bar };
}

/** A LIST reads at most this many times the rows of its sparsest positive requirement, and so many more. */
export const LIST_ROWS_BAR = { times: 1.2, more: 100 };
/** The slowest p50 of a fixed answer at the most objects that will do, to that at the fewest. */
export const LIST_GROWTH_BAR = 1.5;
/** Write units of a pod with four labels that have slots, by the size of its row and its journal entry. */
export const WRITE_UNITS_BARS = {
  create: { 'within 1 KB': 13, 'one above 1 KB': 15 },
  status: { 'within 1 KB': 5, 'one above 1 KB': 7 },
  relabel: { 'within 1 KB': 12, 'one above 1 KB': 14 },
} as const;
/** Bytes of minified code that a function may carry. Tables that are loaded when first used are not code. */
export const BUNDLE_BAR = 450 * 1024;
/** How many times as long as the empty handler with the same clients a function may take to load. */
export const COLD_BAR = 1.5;
/** How many times the CPU time of the calls of the SDK that it makes a handler may take, those included. */
export const REQUEST_BAR = 1.5;
/** Ms that a synced subscriber's p99 may take while a crowd subscribes. */
export const BYSTANDER_BAR = 1_000;
/** How many times the time for a subscription of the smallest crowd one of the largest may take to be synced. */
export const CROWD_GROWTH_BAR = 1.5;
/** Ms from a write that is sent until a watch tells of it, of collections that change at least so often (in ms). */
export const WATCH_BAR = { p50: 100, every: 3_000 };
/** How many times the floor's p50, or that of one subscription alone, a subscriber may wait. */
export const DELIVERY_BARS = [
  { subscriptions: 1, matching: 1, of: 'floor', times: 2 },
  { subscriptions: 1_000, matching: 10, of: 'one', times: 3 },
] as const;
