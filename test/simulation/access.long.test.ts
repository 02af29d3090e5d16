import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { ACCESS_SCENARIOS } from './scenarios/access.ts';
import { RULE_SCENARIOS } from './scenarios/rules.ts';

/** The part of the seeds to run. Each run takes as long as several of other scenarios, because the whole API runs. */
const PART = 0.5;

describe('Access control in a simulated table', () => {
  it.each(ACCESS_SCENARIOS)('Each access decision matches a state that existed: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});

describe('Admission policies in a simulated table', () => {
  it.each(RULE_SCENARIOS)('Each write is decided by policies of one state: $name', (scenario) =>
    expectNoViolationsInSome(scenario, PART),
  );
});
