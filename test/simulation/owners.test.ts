import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { OWNER_SCENARIOS } from './scenarios/owners.ts';

describe('Objects that own each other in a simulated table', () => {
  it.each(OWNER_SCENARIOS)('Owners and dependents go and stay as promised: $name', expectNoViolations);
});
