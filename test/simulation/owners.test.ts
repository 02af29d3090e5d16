import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { OWNER_SCENARIOS } from './scenarios/owners.ts';

describe('objects that own each other in a simulated table', () => {
  it.each(OWNER_SCENARIOS)('go, wait and stay as they were promised: $name', expectNoViolations);
});
