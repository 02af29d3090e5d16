import { describe, it } from '@jest/globals';
import { expectNoViolations } from './expectations.ts';
import { NAMESPACE_SCENARIOS } from './scenarios/namespaces.ts';
import { QUEUE_SCENARIOS } from './scenarios/queues.ts';

describe('Subscribers of simulated queues', () => {
  it.each([...QUEUE_SCENARIOS, ...NAMESPACE_SCENARIOS])(
    'Subscribers receive what was promised: $name',
    expectNoViolations,
  );
});
