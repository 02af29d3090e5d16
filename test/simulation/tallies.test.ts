import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { TALLY_SCENARIOS } from './scenarios/tallies.ts';

describe('Tallies in a simulated table', () => {
  it.each(TALLY_SCENARIOS)('A Tally counts the objects that exist: $name', expectNoViolations);
});
