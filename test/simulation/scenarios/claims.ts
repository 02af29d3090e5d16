import { BAD_DAY, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const CLAIMS: Scenario = {
  ...QUEUES,
  name: 'claims',
  writers: 0,
  subscribers: 0,
  claimants: 4,
  names: 6,
  writes: 20,
  pause: [0, 3_000],
  rations: 4,
  rationPause: [5_000, 20_000],
  faults: BAD_DAY,
  lasts: 60_000,
  calm: 4 * MINUTE,
};

/** Clients that compete for scarce values: reservations, quota versions and quotas. */
export const CLAIM_SCENARIOS: readonly Scenario[] = [
  CLAIMS,
  {
    ...CLAIMS,
    name: 'dying-claims',
    faults: { ...BAD_DAY, crash: 0.02, slowTransaction: 0.1, slowFor: [500, 8_000] },
    calm: 6 * MINUTE,
  },
  {
    ...CLAIMS,
    name: 'claims-at-once',
    claimants: 6,
    names: 8,
    pause: [0, 600],
    // A writer that has read the free values stands still for a moment before it continues.
    faults: {
      ...BAD_DAY,
      freezeAt: 'batchGet',
      freeze: 0.3,
      freezeFor: [50, 1_500],
      slowTransaction: 0.2,
      slowFor: [50, 1_500],
    },
    lasts: 15_000,
  },
  {
    ...CLAIMS,
    name: 'claims-overtaken',
    claimants: 8,
    names: 8,
    writes: 30,
    pause: [0, 400],
    rations: 0,
    // A writer that has a resourceVersion stands still: others take the values that it chose, and release them.
    faults: { ...BAD_DAY, freezeAt: 'update head#core/services', freeze: 0.4, freezeFor: [50, 1_900] },
    lasts: 20_000,
    calm: MINUTE,
  },
];
