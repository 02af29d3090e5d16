import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { READER_SCENARIOS } from './scenarios/readers.ts';

describe('writers and readers on a simulated table', () => {
  it.each(READER_SCENARIOS)('see nothing that a guarantee forbids: $name', expectNoViolations);
});
