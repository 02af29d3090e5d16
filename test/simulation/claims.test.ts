import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { CLAIM_SCENARIOS } from './scenarios/claims.ts';

/** Each takes as long as several of other scenarios: it is the whole API that runs. */
const PART = 0.1;

describe('Services and quotas in a simulated table', () => {
  it.each(CLAIM_SCENARIOS)('have for themselves, and allow, what was promised: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
