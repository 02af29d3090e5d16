export { createSqsInbox } from './sqs-inbox.ts';
export { createSqsQueues } from './sqs-queues.ts';
