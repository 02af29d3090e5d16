import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { CLAIM_SCENARIOS } from './scenarios/claims.ts';

/** The part of the seeds to run. Each run takes as long as several of other scenarios, because the whole API runs. */
const PART = 0.1;

describe('Services and quotas in a simulated table', () => {
  it.each(CLAIM_SCENARIOS)('Services keep their own values, and quotas hold: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
