import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { DERIVING_SCENARIOS } from './scenarios/deriving.ts';

describe('Derived statuses in a simulated table', () => {
  it.each(DERIVING_SCENARIOS)('Derived statuses match the objects when all is quiet: $name', (scenario) =>
    expectNoViolationsInSome(scenario, 0.5),
  );
});
