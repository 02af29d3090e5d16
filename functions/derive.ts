import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createDerivation, MANAGER } from '../lib/controllers/deriving/index.ts';
import { createDeriver, createHints, type DueMessage } from '../lib/coordination/index.ts';
import { createSqsQueues } from '../lib/coordination/sqs/index.ts';
import { systemClock as clock, systemRandom as random, TIMING } from '../lib/platform/index.ts';
import { objectWriter, statusWriter } from '../lib/server/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore } from '../lib/store/index.ts';
import { committed } from './committed.ts';
import { historyDays, required } from './environment/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { handleBatch } from './sqs-batch.ts';
import { timeLeft } from './time-left.ts';

/**
 * The function behind the derive queue and the schedule. It writes the data that the deployment derives from objects.
 */

const { powertools, logger, report } = createLogger('derive');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
const store = createStore({ table, clock, random, logger, metrics, historyDays: historyDays(), committed });
const queues = createSqsQueues();
const queueUrl = required('deriveQueueUrl');
const hints = createHints({ queues, queueUrl: required('eventQueueUrl'), logger, metrics });
const writing = {
  manager: MANAGER,
  deadline: () => clock.deadline(TIMING.request),
  announce: hints.announce,
  store,
  clock,
};
const writeStatus = statusWriter(writing);
const objects = objectWriter({ ...writing, random });
const derivation = createDerivation({ chosen: required('derived'), clock, writeStatus, objects });
const outside = { table, store, queues, clock, random, logger, metrics };
const deriver = createDeriver({ ...outside, queueUrl, derivation });

async function deriveEvent(
  event: SQSEvent | ScheduledEvent,
  context: Context,
): Promise<SQSBatchResponse | undefined> {
  const signal = clock.deadline(timeLeft(context));
  if ('Records' in event) {
    const batch = { logger, signal, queueUrl, receipts: queues.receipts };
    return handleBatch<DueMessage>(event, { ...batch, handle: deriver.derive });
  }
  await deriver.tick(signal);
  return undefined;
}

export const handler = middy(deriveEvent).use(injectLambdaContext(powertools)).use(publishing);
