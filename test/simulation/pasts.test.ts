import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { PAST_SCENARIOS } from './scenarios/pasts.ts';

describe('History in a simulated table', () => {
  it.each(PAST_SCENARIOS)('Clients see all changes once, as they were: $name', (scenario) =>
    expectNoViolationsInSome(scenario, 0.25),
  );
});
