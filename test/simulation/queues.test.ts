import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { QUEUE_SCENARIOS } from './scenarios/queues.ts';

describe('subscribers behind simulated queues', () => {
  it.each(QUEUE_SCENARIOS)('are told what they were promised: $name', expectNoViolations);
});
