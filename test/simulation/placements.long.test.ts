import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { PLACEMENT_SCENARIOS } from './scenarios/placements.ts';

/** Each takes as long as several of other scenarios: pods are read and written as the API does. */
const PART = 0.1;

describe('pods that several bind to nodes of a simulated table', () => {
  it.each(PLACEMENT_SCENARIOS)('are where they may be, once: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
