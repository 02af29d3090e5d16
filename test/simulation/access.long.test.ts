import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { ACCESS_SCENARIOS } from './scenarios/access.ts';

/** Each takes as long as several of other scenarios: it is the whole API that runs. */
const PART = 0.5;

describe('access in a simulated table', () => {
  it.each(ACCESS_SCENARIOS)('is what was promised: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
