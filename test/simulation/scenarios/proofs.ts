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
  // An owner whose token was lost gets the next one after an hour.
  calm: 2.5 * HOUR,
};

/** Queues of users, their owners, and strangers that try to have tokens sent to the queues. */
export const PROOF_SCENARIOS: readonly Scenario[] = [
  PROOFS,
  {
    ...PROOFS,
    name: 'proofs-on-a-bad-day',
    faults: { ...faults, crash: 0.02, refusedMessage: 0.1, failedBatch: 0.1 },
  },
];
