import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createHints, type InsertedKey, relay } from '../lib/coordination/index.ts';
import { createSqsQueues } from '../lib/coordination/sqs/index.ts';
import { systemClock as clock } from '../lib/platform/index.ts';
import { optional, required } from './environment/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { marksReader } from './outgoing/index.ts';

/**
 * The function behind the table's stream. It repeats the hints of journal entries, because a writer may die before it
 * sends them. It sends GC tasks to reconcile, and wakes bind if the deployment binds pods.
 */

const { powertools, logger, report } = createLogger('relay');
const { metrics, publishing } = createMetrics({ logger, report });
const queues = createSqsQueues();
const hints = createHints({ queues, queueUrl: required('eventQueueUrl'), logger });
const reconcileQueueUrl = required('reconcileQueueUrl');
const placementQueueUrl = optional('placementQueueUrl');
const followsAll = optional('derived') !== undefined;
const marked = marksReader({ tableName: required('table'), logger });

async function relayRecords({ Records }: DynamoDBStreamEvent): Promise<void> {
  metrics.record('StreamAge', Math.max(0, ...Records.map(ageOf)));
  await relay(
    { hints, queues, reconcileQueueUrl, placementQueueUrl, clock, logger, followsAll, marked },
    Records.flatMap(insertedKey),
  );
}

/** The age of a record in ms. DynamoDB rounds its time to seconds. */
function ageOf({ dynamodb }: DynamoDBStreamEvent['Records'][number]): number {
  const { ApproximateCreationDateTime: seconds } = dynamodb ?? {};
  return seconds === undefined ? 0 : clock.now() - seconds * 1_000;
}

function insertedKey({ dynamodb }: DynamoDBStreamEvent['Records'][number]): InsertedKey[] {
  const { pk, sk } = dynamodb?.Keys ?? {};
  return pk?.S === undefined || sk?.S === undefined ? [] : [{ pk: pk.S, sk: sk.S }];
}

export const handler = middy(relayRecords).use(injectLambdaContext(powertools)).use(publishing);
