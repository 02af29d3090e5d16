import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { createHints, HintSample } from '../lib/coordination/index.ts';
import { createSqsQueues } from '../lib/coordination/sqs/index.ts';
import { readSelectedBytes } from '../lib/delivery/index.ts';
import { systemClock as clock, systemRandom as random } from '../lib/platform/index.ts';
import { createApi, writingVerbs } from '../lib/server/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore } from '../lib/store/index.ts';
import { createAuditing } from './auditing/index.ts';
import { committed } from './committed.ts';
import { createBudget } from './create-budget.ts';
import {
  authorLife,
  historyDays,
  optional,
  required,
  serviceRange,
  subscribingRules,
} from './environment/index.ts';
import { MAXIMUM_BUFFERED_BYTES, serveBuffered } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { webhookTransport } from './webhooks/index.ts';

const { powertools, logger, report } = createLogger('write');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
const store = createStore({ table, clock, random, logger, metrics, historyDays: historyDays(), committed });
const hints = createHints({
  queues: createSqsQueues(),
  queueUrl: required('eventQueueUrl'),
  logger,
  sample: new HintSample(clock),
  followsAll: optional('derived') !== undefined,
});

const api = createApi({
  verbs: writingVerbs,
  store,
  budget: createBudget(table, logger),
  watches: { open: () => Promise.reject(new Error('the function write serves no watches')) },
  clock,
  random,
  logger,
  metrics,
  auditing: createAuditing({ logger, metrics }),
  authorLife: authorLife(),
  serviceRange: serviceRange(),
  serviceAccounts: optional('serviceAccounts') === 'true',
  subscribing: {
    rules: subscribingRules(),
    selectedBytes: (collection) => readSelectedBytes(table, collection),
  },
  webhooks: { places: optional('webhooks'), transport: webhookTransport },
  announce: hints.announce,
  maximumBytes: MAXIMUM_BUFFERED_BYTES,
});

/** The function for POST, PUT, PATCH and DELETE. It changes objects, and sends hints to dispatch. */
export const handler = middy(serveBuffered({ api, clock, methods: ['POST', 'PUT', 'PATCH', 'DELETE'] }))
  .use(injectLambdaContext(powertools))
  .use(publishing);
