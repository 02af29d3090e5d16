import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { KIND_SCENARIOS } from './scenarios/kinds.ts';

/** Each takes as long as several of other scenarios: it is the whole API that runs. */
const PART = 0.1;

describe('custom kinds that come and go in a simulated table', () => {
  it.each(KIND_SCENARIOS)('are what was promised: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
