import { BAD_DAY, MINUTE, READERS } from './base.ts';
import type { Scenario } from './scenario.ts';

const PLACEMENTS: Scenario = {
  ...READERS,
  name: 'placements',
  writers: 0,
  informers: 0,
  listers: 0,
  placed: 3,
  binders: 3,
  bindPause: [0, 4_000],
  writes: 12,
  pause: [0, 3_000],
  faults: BAD_DAY,
  lasts: 30_000,
  // Time for the schedule to find what is left, but too short for the periodic retry of a pod that no event concerns.
  calm: 3 * MINUTE,
};

/** Clients whose pods are bound to nodes, with several binders. */
export const PLACEMENT_SCENARIOS: readonly Scenario[] = [
  PLACEMENTS,
  {
    ...PLACEMENTS,
    name: 'dying-binders',
    faults: { ...BAD_DAY, crash: 0.01, slowTransaction: 0.2, slowFor: [100, 3_000], spread: [0, 2_000] },
    calm: 4 * MINUTE,
  },
  {
    ...PLACEMENTS,
    name: 'binders-standing-still',
    // A binder that has read the pod that it is about to bind stands still for longer than its lease.
    faults: { ...BAD_DAY, freezeAt: 'get object#core/pods', freeze: 0.05, freezeFor: [5_000, 25_000] },
    lasts: 60_000,
    calm: 4 * MINUTE,
  },
  {
    ...PLACEMENTS,
    name: 'crowded-nodes',
    placed: 4,
    writes: 20,
    pause: [0, 1_500],
    // A binder that has read the heads of the journals stands still: pods change before it has chosen their nodes.
    faults: { ...BAD_DAY, freezeAt: 'get head#core/', freeze: 0.1, freezeFor: [100, 3_000] },
  },
  {
    ...PLACEMENTS,
    name: 'bindings-shown-late',
    placed: 4,
    binders: 4,
    bindPause: [0, 1_000],
    writes: 20,
    pause: [0, 1_500],
    // The next binder has the lease before all rows of the last binding are readable.
    faults: { ...BAD_DAY, spread: [0, 3_000] },
    calm: 2 * MINUTE,
  },
  {
    ...PLACEMENTS,
    name: 'one-binder',
    // One binder remembers which pods it tried; another binder would try them all.
    binders: 1,
    bindPause: [0, 1_000],
    placed: 6,
    writes: 20,
    pause: [0, 1_500],
    calm: 2 * MINUTE,
  },
  {
    ...PLACEMENTS,
    name: 'rooms-given-back',
    // Pods without a node get one only because other pods are deleted. No pod is created then.
    givesBack: true,
    binders: 1,
    bindPause: [0, 1_000],
    placed: 4,
    pause: [0, 1_500],
    calm: 2 * MINUTE,
  },
  {
    ...PLACEMENTS,
    name: 'kept-worlds',
    keepsWorld: true,
    placed: 4,
    // With idle periods, so that invocations end and store a snapshot.
    writes: 16,
    pause: [0, 10_000],
    lasts: 90_000,
    // Many binders are new processes. They start from the snapshots of earlier ones, some of which died while they
    // stored one.
    faults: {
      ...BAD_DAY,
      freezeAt: 'put snapshot#world',
      freeze: 0.1,
      freezeFor: [60_000, 90_000],
    },
    calm: 4 * MINUTE,
  },
];
