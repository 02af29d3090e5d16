import { HOUR, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const { faults } = QUEUES;

const TALLIES: Scenario = {
  ...QUEUES,
  name: 'tallies',
  names: 5,
  writers: 3,
  writes: 60,
  pause: [0, 1_500],
  subscribers: 0,
  tallies: 5,
  talliesLeave: 0.2,
  edits: 6,
  labelSelectors: ['', 'app=x', 'app!=z', 'tier'],
  rogueDispatchers: 2,
  // A round that waits for a slow writer has read its Tallies long before it counts.
  faults: { ...faults, slowTransaction: 0.2, slowFor: [100, 3_500], freeze: 0.003, freezeFor: [200, 60_000] },
  lasts: 45_000,
  calm: 7 * MINUTE,
};

const OUTLIVED: Scenario = {
  ...TALLIES,
  name: 'tallies-outlived',
  rogueDispatchers: 4,
  rogueTimeout: HOUR,
  talliesLeave: 0,
  edits: 1,
  // Dispatchers stand still before and after they have counted, some for longer than their lease.
  faults: { ...faults, freezeAt: 'update ', freeze: 0.06, freezeFor: [1_000, 60_000] },
  pause: [0, 4_000],
  lasts: 2 * MINUTE,
  calm: 12 * MINUTE,
};

/** Tallies, while objects, selections and dispatchers change. */
export const TALLY_SCENARIOS: readonly Scenario[] = [
  TALLIES,
  {
    ...TALLIES,
    name: 'dying-tallies',
    writers: 2,
    writes: 30,
    pause: [0, 3_000],
    rogueDispatchers: 0,
    edits: 1,
    faults: { ...faults, crash: 0.04, slowTransaction: 0.1, slowFor: [100, 4_000] },
  },
  OUTLIVED,
  {
    ...OUTLIVED,
    name: 'tallies-admitted-late',
    tallies: 8,
    edits: 2,
    // A round admits one Tally. Its dispatcher stands still before or after it records that.
    admissions: 1,
    faults: { ...faults, freezeAt: 'update ', freeze: 0.04, freezeFor: [20_000, 60_000] },
    pause: [0, 1_500],
    lasts: 90_000,
  },
  {
    ...TALLIES,
    name: 'tallies-of-teams',
    namespaces: ['default', 'other', 'third'],
    namespaceSelectors: 0.8,
    relabels: 10,
    edits: 2,
    rogueDispatchers: 1,
    faults: { ...faults, crash: 0.005, freeze: 0.01, freezeFor: [50, 1_000], failedBatch: 0.3 },
  },
  { ...TALLIES, name: 'tallies-in-groups', tallies: 6, subscribers: 2, groupSize: 2, edits: 2 },
];
