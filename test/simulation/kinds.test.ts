import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { KIND_SCENARIOS } from './scenarios/kinds.ts';

/** The part of the seeds to run. Each run takes as long as several of other scenarios, because the whole API runs. */
const PART = 0.1;

describe('Custom kinds that are created and deleted in a simulated table', () => {
  it.each(KIND_SCENARIOS)('Custom kinds behave as promised: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
