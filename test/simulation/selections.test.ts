import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { SELECTION_SCENARIOS } from './scenarios/selections.ts';

describe('selectors in a simulated table', () => {
  it.each(SELECTION_SCENARIOS)('are found as it was promised: $name', expectNoViolations);
});
