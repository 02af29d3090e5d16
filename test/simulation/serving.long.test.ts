import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { SERVING_SCENARIOS } from './scenarios/deriving.ts';

/**
 * The part of the seeds to run. Each run takes as long as several of other scenarios: it writes slices by the API's
 * rules.
 */
const PART = 0.2;

describe('Derived endpoints in a simulated table', () => {
  it.each(SERVING_SCENARIOS)('Derived endpoints match the pods at the end: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
