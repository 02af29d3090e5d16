import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { NAMESPACE_SCENARIOS } from './scenarios/namespaces.ts';
import { QUEUE_SCENARIOS } from './scenarios/queues.ts';

describe('subscribers behind simulated queues', () => {
  it.each([...QUEUE_SCENARIOS, ...NAMESPACE_SCENARIOS])(
    'are told what they were promised: $name',
    expectNoViolations,
  );
});
