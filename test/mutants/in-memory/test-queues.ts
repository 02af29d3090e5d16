import { createMemoryQueues } from '../../support/watch/test-queues.ts';

export { createMemoryQueues };

/** As `startTestQueues` of test/support, in memory. */
export const startTestQueues = async () => createMemoryQueues();
