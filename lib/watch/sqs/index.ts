export { createSqsQueues, type SqsQueuesOptions } from './sqs-queues.ts';
