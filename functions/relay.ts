import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createHints, type InsertedKey, relay } from '../lib/watch/index.ts';
import { createSqsQueues } from '../lib/watch/sqs/index.ts';
import { createLogger } from './logger.ts';
import { required } from './required.ts';

/** The table's stream: puts again the hints of journal entries whose writer may have died before it could. */

const { powertools, logger } = createLogger('relay');
const hints = createHints({ queues: createSqsQueues(), queueUrl: required('eventQueueUrl'), logger });

async function relayRecords({ Records }: DynamoDBStreamEvent): Promise<void> {
  await relay(hints, Records.flatMap(insertedKey));
}

function insertedKey({ dynamodb }: DynamoDBStreamEvent['Records'][number]): InsertedKey[] {
  const { pk, sk } = dynamodb?.Keys ?? {};
  return pk?.S === undefined || sk?.S === undefined ? [] : [{ pk: pk.S, sk: sk.S }];
}

export const handler = middy(relayRecords).use(injectLambdaContext(powertools));
