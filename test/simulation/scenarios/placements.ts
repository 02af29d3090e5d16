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
  // Time for the schedule to find what is left, but not for a pod that nothing helps to be tried anyway.
  calm: 3 * MINUTE,
};

/** Who has pods bound to nodes, while several bind. */
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
    // Whoever has read the pod that he is about to bind stands still for longer than his lease.
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
    // Whoever has read how far the journals are stands still: pods change before he has chosen their nodes.
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
    // The next one has the lease before all rows of the last binding are readable.
    faults: { ...BAD_DAY, spread: [0, 3_000] },
    calm: 2 * MINUTE,
  },
  {
    ...PLACEMENTS,
    name: 'one-binder',
    // Who remembers which pods he tried: another one would try them all.
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
    // Pods that found no node get one only because others go, which nobody has made anew then.
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
    // With times in which nothing is to do, so that invocations end, and the world is kept.
    writes: 16,
    pause: [0, 10_000],
    lasts: 90_000,
    // Many binders are new processes, which start from what those before them kept, or died over.
    faults: {
      ...BAD_DAY,
      freezeAt: 'put snapshot#world',
      freeze: 0.1,
      freezeFor: [60_000, 90_000],
    },
    calm: 4 * MINUTE,
  },
];
