import { BAD_DAY, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const OWNERS: Scenario = {
  ...QUEUES,
  name: 'owners',
  writers: 0,
  subscribers: 0,
  owners: 4,
  names: 8,
  writes: 30,
  pause: [0, 3_000],
  faults: { ...BAD_DAY, crash: 0.005, slowTransaction: 0.05, slowFor: [500, 8_000], failedBatch: 0.2 },
  lasts: 90_000,
  calm: 8 * MINUTE,
};

/** Owners and their dependents: lib/store/owners and lib/controllers/collect. */
export const OWNER_SCENARIOS: readonly Scenario[] = [
  OWNERS,
  {
    ...OWNERS,
    name: 'dying-owners',
    faults: { ...OWNERS.faults, crash: 0.02, slowFor: [500, 14_000] },
    tickEvery: [5_000, MINUTE],
    calm: 12 * MINUTE,
  },
  {
    ...OWNERS,
    name: 'owners-at-once',
    names: 4,
    writes: 60,
    pause: [0, 1_000],
    tickEvery: [1_000, 15_000],
    faults: {
      ...OWNERS.faults,
      crash: 0,
      slowTransaction: 0.3,
      slowFor: [100, 3_500],
      // A client that deletes an owner stands still after its query of dependents, and so does the collector after its
      // own.
      freezeAt: 'query owner#',
      freeze: 0.2,
      freezeFor: [100, 1_500],
    },
    lasts: 60_000,
    calm: 3 * MINUTE,
  },
  {
    ...OWNERS,
    name: 'slow-owners',
    names: 12,
    writes: 40,
    pause: [0, 4_000],
    tickEvery: [500, 3_000],
    // A writer dies during its transaction. The transaction still takes effect unless another process has decided it.
    faults: {
      ...BAD_DAY,
      crash: 0.3,
      crashAt: 'transact',
      slowTransaction: 0.5,
      slowFor: [1_000, 14_000],
      freezeAt: 'query owner#',
      freeze: 0.5,
      freezeFor: [100, 1_500],
    },
    lasts: 80_000,
    calm: 2 * MINUTE,
  },
];
