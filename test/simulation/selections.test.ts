import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { SELECTION_SCENARIOS } from './scenarios/selections.ts';

describe('Selectors in a simulated table', () => {
  it.each(SELECTION_SCENARIOS)('Lookups find selectors as promised: $name', expectNoViolations);
});
