import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { executionModeStandard } from '@middy/core/Standard';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { withProgress } from '../lib/delivery/index.ts';
import { SUBSCRIPTIONS } from '../lib/kubernetes/lifecycle/index.ts';
import { loadComponents } from '../lib/kubernetes/openapi/index.ts';
import { systemClock as clock, ENVIRONMENT, systemRandom as random } from '../lib/platform/index.ts';
import { createApi, readingVerbs } from '../lib/server/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore, createWatchCap, createWatches, retryingTable } from '../lib/store/index.ts';
import { createAuditing } from './auditing/index.ts';
import { listenToWrites } from './committed.ts';
import { createBudget } from './create-budget.ts';
import { authorLife, optional, required } from './environment/index.ts';
import { createAskFill, createFiller } from './fill-client/index.ts';
import { MAXIMUM_BUFFERED_BYTES, type Serve, serveBuffered, serveStreamed } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

const { powertools, logger, report } = createLogger('read');
const { metrics, publishing, ended } = createMetrics({ logger, report });
const streaming = process.env[ENVIRONMENT.streaming] !== 'false';
const table = openTable({ tableName: required('table'), clock });
const ask = createAskFill(required('fillFunction'));
const store = createStore({ table, clock, random, logger, metrics, filler: createFiller(ask) });
const watchesPerUser = optional('watchesPerUser');

const api = createApi({
  verbs: readingVerbs,
  openApi: loadComponents,
  store,
  budget: createBudget(table, logger),
  watches: createWatches({ store, clock, random, logger, onCommitted: listenToWrites() }),
  watchCap: watchesPerUser
    ? createWatchCap({ most: Number(watchesPerUser), random, logger, ask })
    : undefined,
  clock,
  random,
  logger,
  metrics,
  auditing: createAuditing({ logger, metrics }),
  authorLife: authorLife(),
  announce: async () => undefined,
  complete: async (collection, object, deadline) =>
    collection === SUBSCRIPTIONS
      ? withProgress({ table: retryingTable({ table, clock, random, metrics, deadline }), clock }, object)
      : object,
  ...(streaming ? {} : { maximumBytes: MAXIMUM_BUFFERED_BYTES }),
});

const options = { api, clock, methods: ['GET'], over: ended };
const serve: Serve = streaming ? serveStreamed(options) : serveBuffered(options);

/** The function for GET: objects, lists, watches, discovery. It streams its answers if the gateway supports that. */
export const handler = middy(serve, {
  executionMode: streaming ? executionModeStreamifyResponse : executionModeStandard,
})
  .use(injectLambdaContext(powertools))
  .use(publishing);
