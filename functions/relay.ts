import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createHints, type InsertedKey, relay } from '../lib/coordination/index.ts';
import { createSqsQueues } from '../lib/coordination/sqs/index.ts';
import { systemClock as clock } from '../lib/platform/index.ts';
import { optional, required } from './environment/index.ts';
import { createLogger } from './logger.ts';

/**
 * The table's stream: puts again the hints of journal entries whose writer may have died before it could, and tells
 * reconcile of looks; and whoever binds pods, where that is asked for.
 */

const { powertools, logger } = createLogger('relay');
const queues = createSqsQueues();
const hints = createHints({ queues, queueUrl: required('eventQueueUrl'), logger });
const reconcileQueueUrl = required('reconcileQueueUrl');
const placementQueueUrl = optional('placementQueueUrl');

async function relayRecords({ Records }: DynamoDBStreamEvent): Promise<void> {
  await relay(
    { hints, queues, reconcileQueueUrl, placementQueueUrl, clock, logger },
    Records.flatMap(insertedKey),
  );
}

function insertedKey({ dynamodb }: DynamoDBStreamEvent['Records'][number]): InsertedKey[] {
  const { pk, sk } = dynamodb?.Keys ?? {};
  return pk?.S === undefined || sk?.S === undefined ? [] : [{ pk: pk.S, sk: sk.S }];
}

export const handler = middy(relayRecords).use(injectLambdaContext(powertools));
