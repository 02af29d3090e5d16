import type { FunctionName } from '../../lib/platform/function-names.ts';
import type { StreamName } from './inputs/stream.ts';
import type { WorkloadName } from './inputs/workload.ts';
import type { PlacementWorkload } from './placement/clusters.ts';

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
/**
 * What 20 changes of one object may take: requests, read units, and the p50 among most objects to that among fewest. And
 * the bytes that history may add to a row.
 */
export const HISTORY_BARS = { requests: 22, units: 14, growth: 1.2 };
export const HISTORY_BYTES_BAR = 60;
/** Selectors that are read and do not match: fewer than so many for each that does. */
export const SELECTS_MISSES_BAR = 2;
/** The slowest p50 of a look-up at the most selectors that will do, to that at the fewest. */
export const SELECTS_GROWTH_BAR = 1.5;
/** Write units of a pod with four labels that have slots, by the size of its row and its journal entry. */
export const WRITE_UNITS_BARS = {
  create: { 'within 1 KB': 13, 'one above 1 KB': 15 },
  status: { 'within 1 KB': 5, 'one above 1 KB': 7 },
  relabel: { 'within 1 KB': 12, 'one above 1 KB': 14 },
} as const;
const KIB = 1024;

/** Bytes of minified code that every start of a function may load: what it was when the bar was set, and at most 8 KiB more. */
export const BUNDLE_BARS: Readonly<Record<FunctionName, number>> = {
  read: 366 * KIB,
  write: 408 * KIB,
  place: 349 * KIB,
  bind: 299 * KIB,
  relay: 200 * KIB,
  dispatch: 404 * KIB,
  reconcile: 417 * KIB,
  derive: 389 * KIB,
  canary: 359 * KIB,
  fill: 226 * KIB,
  authorizer: 56 * KIB,
  issue: 349 * KIB,
  'read-with-login': 376 * KIB,
  'write-with-login': 418 * KIB,
  'place-with-login': 358 * KIB,
  'subscription-resource': 54 * KIB,
  'settings-guard': 187 * KIB,
};
/** How many times as long as the empty handler with the same clients a function may take to load. */
export const COLD_BAR = 1.5;
/** How many times the CPU time of the calls of the SDK that it makes a handler may take, those included. */
export const REQUEST_BAR = 1.5;
/** How many times its CPU time without rules a write may take under 100 admission policies of which three match. */
export const RULES_BAR = 1.3;
/** How many times their p99 without those subscribers may wait beside a stalled, a deleted and a denied queue. */
export const FAILING_BAR = 1.05;
/** Ms that a synced subscriber's p99 may take while a crowd subscribes. */
export const BYSTANDER_BAR = 1_000;
/** How many times the time for a subscription of the smallest crowd one of the largest may take to be synced. */
export const CROWD_GROWTH_BAR = 1.5;
/** Ms from a write that is sent until a watch tells of it, p50: where writes wake watches, and through the table only. */
export const WATCH_BARS = { signal: 20, table: 100 };
/** How many times the floor's p50, or that of one subscription alone, a subscriber may wait. */
export const DELIVERY_BARS = [
  { subscriptions: 1, matching: 1, of: 'floor', times: 2 },
  { subscriptions: 1_000, matching: 10, of: 'one', times: 3 },
] as const;

/** How many times as long a pod may take in a cluster of 5,000 nodes as in one of 1,000. */
export const PLACEMENT_GROWTH_BAR = 6;

/** Of the first answer of a process that has no world yet: ms, read units, MiB. */
export const COLD_WORLD_BARS = { nodes: 5_000, ms: 5_000, units: 1_500, mib: 1_536 } as const;

/** Our pods a second to kube-scheduler's, where it looks at every node; undefined where nothing is promised. */
export function placementBar(peer: string, workload: PlacementWorkload): number | undefined {
  if (peer !== 'kube-scheduler, all nodes') return undefined;
  return workload === 'plain' ? 0.5 : 1;
}

/** Of a decision who may do what: µs of a processor. */
export const ACCESS_BAR = 100;

/** Of a decision under a grant: reads; of a LIST within one: rows that it reads for each object that it shows. */
export const SCOPED_BARS = { decisionReads: 1, rowsOfMatch: 3 } as const;

/**
 * The typed client, at most: `cpu`, `memory`, `lines` and `bundle` are shares of client-node's, `bytes` are those of its
 * bundle, and `share` is that of a core, in percent, for 1,000 changes a second of 10,000 objects.
 */
export const OBJECTS_BARS = { cpu: 0.75, memory: 0.75, lines: 1 / 3, bundle: 0.1, bytes: 12_000, share: 25 };

/** The console's page, at most: sizes are those of the transfer. */
export const CONSOLE_BARS = {
  'script and style of the first view, KB': 70,
  'all script, KB': 190,
  'fonts, KB': 92,
  'last byte of 500 rows to paint, ms': 60,
  'cold link to rows of 1,000 objects, ms': 1_000,
  'answer of a write to the row that leaves, p95, ms': 1_000,
  'key press to paint during 200 changes a second, p95, ms': 100,
  'frames above 50 ms in 5 s of scrolling 10,000 rows': 0,
  'heap with 10,000 rows, MB': 80,
} as const;

/** The most that a ratio to kube-apiserver may be. `ahead`: it has to be below that. */
export interface BesideBar {
  readonly p50?: number;
  readonly cpu?: number;
  readonly ahead?: boolean;
}

/** Winnow beside kube-apiserver. A LIST of few is one of 10 or 90 matches; `watch` is in ms. */
export const BESIDE_BARS = {
  oneClient: { p50: 3 },
  manyClients: { p50: 4 },
  listOfMany: { cpu: 2.5 },
  pageWithoutIndex: { p50: 2, cpu: 2 },
  listOfFew: { p50: 1, cpu: 1, ahead: true },
  watch: 20,
} as const satisfies Readonly<Record<string, BesideBar | number>>;
/** The number of objects from which the bar of a LIST of few applies. */
export const BESIDE_FEW_FROM = 5_000;
