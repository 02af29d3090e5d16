import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { createCanary } from '../lib/controllers/canary/index.ts';
import { createHints } from '../lib/coordination/index.ts';
import { createSqsInbox, createSqsQueues } from '../lib/coordination/sqs/index.ts';
import { systemClock as clock, systemRandom as random } from '../lib/platform/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore } from '../lib/store/index.ts';
import { committed } from './committed.ts';
import { historyDays, required } from './environment/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { timeLeft } from './time-left.ts';

/** The function that tests the deployment once a minute, if the deployment has a canary. */

const { powertools, logger, report } = createLogger('canary');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
const store = createStore({ table, clock, random, logger, metrics, historyDays: historyDays(), committed });
const hints = createHints({
  queues: createSqsQueues(),
  queueUrl: required('eventQueueUrl'),
  logger,
  metrics,
});
const canary = createCanary({ store, clock, random, logger, metrics, hints, inbox: createSqsInbox() });

const beat = ({ detail }: ScheduledEvent<{ all?: boolean }>, context: Context): Promise<void> =>
  canary.beat({ signal: clock.deadline(timeLeft(context)), queuesLost: detail?.all === true });

export const handler = middy(beat).use(injectLambdaContext(powertools)).use(publishing);
