import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { PLACEMENT_SCENARIOS } from './scenarios/placements.ts';

/**
 * The part of the seeds to run. Each run takes as long as several of other scenarios: it reads and writes pods by the
 * API's rules.
 */
const PART = 0.1;

describe('Pods that several binders bind to nodes in a simulated table', () => {
  it.each(PLACEMENT_SCENARIOS)('Each pod is bound once, to a node that may run it: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
