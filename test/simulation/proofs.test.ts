import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { PROOF_SCENARIOS } from './scenarios/proofs.ts';

describe('queues of users in a simulation', () => {
  it.each(PROOF_SCENARIOS)('get few tokens, and none of strangers: $name', expectNoViolations);
});
