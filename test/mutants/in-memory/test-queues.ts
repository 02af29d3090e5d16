import { createMemoryQueues, type TestQueues } from '../../support/watch/memory-queues.ts';

/** As an engine has one in the URLs of its queues. */
const ACCOUNT = '000000000000';

/** As `startTestQueues` of test/support, in memory. */
export async function startTestQueues(): Promise<TestQueues> {
  const memory = createMemoryQueues();
  return { ...memory, create: (name, options) => memory.create(`${ACCOUNT}/${name}`, options) };
}
