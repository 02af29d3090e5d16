import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { PROOF_SCENARIOS } from './scenarios/proofs.ts';

describe('Queues of users in a simulation', () => {
  it.each(PROOF_SCENARIOS)('A queue receives few tokens, and no foreign ones: $name', expectNoViolations);
});
