import type { Faults } from '../world/faults.ts';
import { BAD_DAY, READERS } from './base.ts';
import type { Scenario } from './scenario.ts';

const TORN: Faults = { ...BAD_DAY, tearsAnchors: true };

const SELECTIONS: Scenario = {
  ...READERS,
  name: 'selections',
  writers: 0,
  informers: 0,
  listers: 0,
  selectors: 3,
  names: 3,
  writes: 25,
  pause: [0, 250],
  listings: 25,
  listPause: [0, 200],
  faults: TORN,
};

/** Clients that look up selecting objects, while these change. */
export const SELECTION_SCENARIOS: readonly Scenario[] = [
  SELECTIONS,
  {
    ...SELECTIONS,
    name: 'selections-far-apart',
    // A client that looks up carriers stands still between two queries, while carriers move.
    faults: { ...TORN, freezeAt: 'query anchor#', freeze: 0.2, freezeFor: [50, 1_500] },
    lasts: 10_000,
  },
  {
    ...SELECTIONS,
    name: 'selections-known-later',
    names: 12,
    // Selectors become known when most objects have been written.
    writes: 12,
    selectsFrom: 2_000,
    faults: { ...TORN, crash: 0.02, slowTransaction: 0.3, slowFor: [100, 4_000] },
    lasts: 10_000,
    calm: 80_000,
  },
  {
    ...SELECTIONS,
    name: 'dying-selections',
    faults: { ...TORN, crash: 0.01, slowTransaction: 0.1, slowFor: [100, 4_000] },
    lasts: 10_000,
  },
];
