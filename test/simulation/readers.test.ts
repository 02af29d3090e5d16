import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { READER_SCENARIOS } from './scenarios/readers.ts';

describe('Writers and readers of a simulated table', () => {
  it.each(READER_SCENARIOS)('Clients see nothing that a guarantee forbids: $name', expectNoViolations);
});
