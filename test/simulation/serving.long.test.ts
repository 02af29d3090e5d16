import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { SERVING_SCENARIOS } from './scenarios/deriving.ts';

/** Each takes as long as several of other scenarios: slices are written by the API's rules. */
const PART = 0.2;

describe('derived endpoints in a simulated table', () => {
  it.each(SERVING_SCENARIOS)('are what there is when all is quiet: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
