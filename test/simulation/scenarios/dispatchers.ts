import { HOUR, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const { faults } = QUEUES;

/** Several dispatchers at once, while selectors are edited. */
const TWO_DISPATCHERS: Scenario = {
  ...QUEUES,
  name: 'two-dispatchers',
  rogueDispatchers: 2,
  subscribers: 3,
  edits: 3,
  labelSelectors: ['app=x', 'app=y', 'app=z'],
  // A round that waits for a slow writer has read its subscriptions long before it sends.
  faults: {
    ...faults,
    slowTransaction: 0.2,
    slowFor: [100, 3_500],
    freeze: 0.003,
    freezeFor: [200, 60_000],
  },
  lasts: 40_000,
  writes: 40,
  pause: [0, 1_800],
  calm: 7 * MINUTE,
};

/** All faults at once, and every message proves the set. */
const VERIFIED: Scenario = {
  ...QUEUES,
  name: 'verified',
  verified: 1,
  names: 5,
  subscribers: 4,
  groupSize: 2,
  writers: 3,
  writes: 40,
  pause: [0, 2_500],
  edits: 3,
  leaves: 0.1,
  queueLosses: 1,
  rogueDispatchers: 2,
  labelSelectors: ['', 'app=x', 'app!=z', 'tier'],
  tickEvery: [10_000, 30_000],
  faults: {
    ...faults,
    crash: 0.02,
    freeze: 0.02,
    freezeFor: [50, 20_000],
    slowTransaction: 0.05,
    slowFor: [100, 3_500],
    refusedMessage: 0.05,
    failedBatch: 0.03,
  },
  lasts: 90_000,
  calm: 20 * MINUTE,
};

const OUTLIVED_TURNS: Scenario = {
  ...QUEUES,
  name: 'outlived-turns',
  rogueDispatchers: 4,
  rogueTimeout: HOUR,
  subscribers: 4,
  labelSelectors: ['', 'app!=z', 'tier'],
  // Dispatchers stand still after they record that they will change states, and before they change them. Some do so
  // for longer than their lease, so that the round of another dispatcher meets what they store.
  faults: {
    ...faults,
    refusedMessage: 0.2,
    failedBatch: 0.1,
    freezeAt: 'update head#core/pods cursor',
    freeze: 0.15,
    freezeFor: [1_000, 60_000],
  },
  writes: 60,
  pause: [0, 4_000],
  lasts: 3 * MINUTE,
  calm: 12 * MINUTE,
};

/** Several dispatchers of one collection at once. */
export const DISPATCHER_SCENARIOS: readonly Scenario[] = [
  TWO_DISPATCHERS,
  { ...TWO_DISPATCHERS, name: 'many-dispatchers', rogueDispatchers: 6 },
  {
    ...QUEUES,
    name: 'outlived-leases',
    rogueDispatchers: 3,
    // These dispatchers are not stopped. The messages of a stale one arrive once more, but no selector changes
    // meanwhile.
    rogueTimeout: HOUR,
    labelSelectors: ['', 'app!=z', 'tier'],
    faults: { ...faults, refusedMessage: 0.2, failedBatch: 0.1, freeze: 0.02, freezeFor: [1_000, 60_000] },
    writes: 40,
    pause: [0, 4_000],
    lasts: 90_000,
    calm: 12 * MINUTE,
  },
  OUTLIVED_TURNS,
  {
    ...OUTLIVED_TURNS,
    name: 'late-admissions',
    // Many subscriptions are ready, and a round admits one. Its dispatcher stands still before or after it records
    // that.
    admissions: 1,
    subscribers: 8,
    pause: [0, 1_500],
    faults: {
      ...faults,
      freezeAt: 'update ',
      freeze: 0.04,
      freezeFor: [20_000, 60_000],
      refusedMessage: 0.1,
    },
    lasts: 90_000,
  },
  VERIFIED,
  {
    ...OUTLIVED_TURNS,
    name: 'verified-outlived',
    verified: 1,
    // Dispatchers also stand still before they store the numbers of changes.
    faults: { ...OUTLIVED_TURNS.faults, freezeAt: 'update ', freeze: 0.04 },
  },
];
