import { systemRandom } from '../../../lib/platform/index.ts';
import { createMemoryQueues } from './memory-queues.ts';

/** What a reconciliation has to go on by a message to itself, where it is not to do so: there is no such queue. */
export const NOT_GOING_ON = {
  queues: createMemoryQueues(),
  reconcileQueueUrl: 'memory://none',
  random: systemRandom,
};
