import { HOUR, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const { faults } = QUEUES;

const PROOFS: Scenario = {
  ...QUEUES,
  name: 'proofs',
  subscribers: 0,
  provedQueues: 2,
  edits: 8,
  writers: 1,
  writes: 10,
  pause: [0, 20 * MINUTE],
  tickEvery: [10 * MINUTE, 10 * MINUTE],
  lasts: 2.5 * HOUR,
  // The owner whose token was lost gets the next one in an hour.
  calm: 2.5 * HOUR,
};

/** Queues of users, their owners, and strangers who want tokens sent to them. */
export const PROOF_SCENARIOS: readonly Scenario[] = [
  PROOFS,
  {
    ...PROOFS,
    name: 'proofs-on-a-bad-day',
    faults: { ...faults, crash: 0.02, refusedMessage: 0.1, failedBatch: 0.1 },
  },
];
