import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createBinder } from '../lib/controllers/binding/index.ts';
import { SNAPSHOT_POLICY } from '../lib/controllers/world-snapshots/index.ts';
import { type BindMessage, createHints, LeaseHeldError, wakeBinder } from '../lib/coordination/index.ts';
import { createSqsQueues } from '../lib/coordination/sqs/index.ts';
import { systemClock as clock, systemRandom as random } from '../lib/platform/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore } from '../lib/store/index.ts';
import { committed } from './committed.ts';
import { historyDays, required, schedulerProfile } from './environment/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { handleBatch } from './sqs-batch.ts';
import { timeLeft } from './time-left.ts';

/** The function behind the placement queue and the schedule. It binds waiting pods to nodes. */

const { powertools, logger, report } = createLogger('bind');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
const queues = createSqsQueues();
const queueUrl = required('placementQueueUrl');
const hints = createHints({ queues, queueUrl: required('eventQueueUrl'), logger, metrics });
const binder = createBinder({
  table,
  store: createStore({ table, clock, random, logger, metrics, historyDays: historyDays(), committed }),
  clock,
  random,
  logger,
  hints,
  schedulerName: required('schedulerName'),
  profile: schedulerProfile(),
  snapshots: SNAPSHOT_POLICY,
});

/** Binds pods. If the time ends before all of them are bound, it wakes another invocation for the rest. */
async function bindPods(waits: boolean, context: Context, hops: number): Promise<void> {
  if (await binder.bind({ waits, time: timeLeft(context) })) return;
  await wakeBinder({ queues, queueUrl, logger }, `continue/${random.uuid()}`, hops + 1);
}

async function bindEvent(
  event: SQSEvent | ScheduledEvent,
  context: Context,
): Promise<SQSBatchResponse | undefined> {
  if ('Records' in event) {
    return handleBatch<BindMessage>(event, {
      logger,
      signal: clock.deadline(timeLeft(context)),
      queueUrl,
      receipts: queues.receipts,
      handle: ({ hops }) => bindPods(true, context, hops),
    });
  }
  try {
    await bindPods(false, context, 0);
  } catch (error) {
    // The invocation that holds the lease now continues.
    if (!(error instanceof LeaseHeldError)) throw error;
  }
  return undefined;
}

export const handler = middy(bindEvent).use(injectLambdaContext(powertools)).use(publishing);
