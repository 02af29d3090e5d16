import { CALM } from '../world/faults.ts';
import { HOUR, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

/** Dispatch shards that split during changes, edits and refusals, each with several dispatchers. */
const GROUPS: Scenario = {
  ...QUEUES,
  name: 'groups',
  subscribers: 9,
  groupSize: 2,
  writers: 2,
  writes: 40,
  pause: [0, 2_000],
  edits: 2,
  leaves: 0.1,
  queueLosses: 1,
  rogueDispatchers: 2,
  labelSelectors: ['', 'app=x', 'app!=z', 'tier'],
  tickEvery: [20_000, MINUTE],
  faults: {
    ...QUEUES.faults,
    crash: 0.01,
    slowTransaction: 0.1,
    slowFor: [100, 3_500],
    freeze: 0.005,
    freezeFor: [100, 20_000],
    refusedMessage: 0.03,
    failedBatch: 0.03,
  },
  lasts: 60_000,
  calm: 20 * MINUTE,
};

/** Many dispatchers of one collection: lib/delivery/shards. */
export const GROUP_SCENARIOS: readonly Scenario[] = [
  GROUPS,
  {
    ...GROUPS,
    // No faults occur, so the schedule repairs nothing. A subscription that joins late gets no later change that would
    // help it.
    name: 'groups-by-hints',
    writes: 8,
    pause: [0, 3_000],
    edits: 0,
    leaves: 0,
    queueLosses: 0,
    rogueDispatchers: 0,
    tickEvery: [HOUR, HOUR],
    faults: CALM,
    calm: MINUTE,
  },
  {
    ...GROUPS,
    // SQS has forgotten the first deduplication ids when a hint names a shard that does not exist.
    name: 'groups-for-long',
    edits: 0,
    queueLosses: 0,
    writes: 60,
    pause: [0, 16_000],
    faults: { ...QUEUES.faults, freeze: 0.005, freezeFor: [100, 5_000] },
    lasts: 8 * MINUTE,
  },
  {
    ...GROUPS,
    name: 'groups-by-time',
    subscribers: 6,
    // A shard with a twentieth of this size may split after a long round. So one process splits a shard that others
    // know whole.
    groupSize: 40,
    edits: 1,
    leaves: 0,
    queueLosses: 0,
    rogueDispatchers: 0,
    writes: 90,
    pause: [0, 6_000],
    faults: { ...CALM, freezeAt: 'send ', freeze: 0.1, freezeFor: [13_000, 16_000] },
    lasts: 5 * MINUTE,
  },
  {
    ...GROUPS,
    name: 'groups-outlived',
    edits: 0,
    leaves: 0,
    queueLosses: 0,
    rogueDispatchers: 8,
    rogueTimeout: HOUR,
    writes: 90,
    pause: [0, 4_000],
    // Dispatchers stand still after they have read the subscriptions of their shard, and split it long after others
    // did.
    faults: {
      ...QUEUES.faults,
      refusedMessage: 0.1,
      failedBatch: 0.05,
      freezeAt: 'query subscriptions#core/pods',
      freeze: 0.4,
      freezeFor: [36_000, 60_000],
    },
    lasts: 3 * MINUTE,
  },
  {
    ...GROUPS,
    name: 'groups-unsure',
    edits: 0,
    queueLosses: 0,
    writes: 60,
    rogueDispatchers: 4,
    // Whether a split took place is often unknown, and queues refuse messages meanwhile.
    faults: {
      ...GROUPS.faults,
      slowTransaction: 0.4,
      slowFor: [500, 4_000],
      refusedMessage: 0.15,
      failedBatch: 0.1,
    },
  },
];
