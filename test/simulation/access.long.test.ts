import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { ACCESS_SCENARIOS } from './scenarios/access.ts';

/** The part of the seeds to run. Each run takes as long as several of other scenarios, because the whole API runs. */
const PART = 0.5;

describe('Access control in a simulated table', () => {
  it.each(ACCESS_SCENARIOS)('Each access decision matches a state that existed: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
