import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context, SQSEvent } from 'aws-lambda';
import { createConcerns } from '../lib/controllers/deriving/index.ts';
import { createHints, type Hint } from '../lib/coordination/index.ts';
import { createSqsQueues } from '../lib/coordination/sqs/index.ts';
import { createDispatcher } from '../lib/delivery/index.ts';
import { targetResources as resources } from '../lib/kubernetes/resource-types/index.ts';
import { systemClock as clock, systemRandom as random } from '../lib/platform/index.ts';
import { openAuthority } from '../lib/server/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore } from '../lib/store/index.ts';
import { committed } from './committed.ts';
import { authorLife, historyDays, optional, required } from './environment/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { handleBatch } from './sqs-batch.ts';
import { timeLeft } from './time-left.ts';

/**
 * The function behind the event queue. It delivers a collection's changes to its Synced subscriptions, in journal
 * order.
 */

const { powertools, logger, report } = createLogger('dispatch');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
const queues = createSqsQueues();
const eventQueueUrl = required('eventQueueUrl');
const [derived, deriveQueueUrl] = [optional('derived'), optional('deriveQueueUrl')];
const deriving =
  derived === undefined || deriveQueueUrl === undefined
    ? undefined
    : { concerns: createConcerns(derived), queueUrl: deriveQueueUrl };
const dispatcher = createDispatcher({
  table,
  store: createStore({ table, clock, random, logger, metrics, historyDays: historyDays(), committed }),
  queues,
  hints: createHints({ queues, queueUrl: eventQueueUrl, logger, metrics }),
  reconcileQueueUrl: required('reconcileQueueUrl'),
  resources,
  authority: openAuthority({ clock, life: authorLife() }),
  deriving,
  followsAll: deriving !== undefined,
  clock,
  random,
  logger,
  metrics,
});

const dispatchHints = (event: SQSEvent, context: Context) =>
  handleBatch<Hint>(event, {
    logger,
    signal: clock.deadline(timeLeft(context)),
    queueUrl: eventQueueUrl,
    receipts: queues.receipts,
    handle: dispatcher.dispatch,
  });

export const handler = middy(dispatchHints).use(injectLambdaContext(powertools)).use(publishing);
