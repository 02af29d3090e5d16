import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { DERIVING_SCENARIOS } from './scenarios/deriving.ts';

describe('derived statuses in a simulated table', () => {
  it.each(DERIVING_SCENARIOS)('are what there is when all is quiet: $name', (scenario) =>
    expectNoViolationsInSome(scenario, 0.5),
  );
});
