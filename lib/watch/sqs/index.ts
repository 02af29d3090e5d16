export { createSqsInbox } from './sqs-inbox.ts';
export { createSqsQueues, type SqsQueuesOptions } from './sqs-queues.ts';
