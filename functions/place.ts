import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { systemClock as clock, systemRandom as random, TIMING } from '../lib/platform/index.ts';
import { createApi, createPlacingVerbs, type WorldSource } from '../lib/server/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore, retryingTable } from '../lib/store/index.ts';
import { createAuditing } from './auditing/index.ts';
import { createBudget } from './create-budget.ts';
import { authorLife, optional, required, schedulerProfile } from './environment/index.ts';
import { createAskFill, createFiller } from './fill-client/index.ts';
import { MAXIMUM_BUFFERED_BYTES, serveBuffered } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

const { powertools, logger, report } = createLogger('place');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
const filler = createFiller(createAskFill(required('fillFunction')));
const store = createStore({ table, clock, random, logger, metrics, filler });

/** The snapshots of the cluster state that bind stores. A new process of this function reads one. */
const snapshots: WorldSource = {
  read: async () => {
    const { readWorld } = await import('../lib/controllers/world-snapshots/index.ts');
    return readWorld(
      retryingTable({ table, clock, random, metrics, deadline: clock.deadline(TIMING.request) }),
    );
  },
};

const api = createApi({
  verbs: createPlacingVerbs({
    logger,
    profile: schedulerProfile(),
    source: optional('worldSnapshots') === undefined ? undefined : snapshots,
  }),
  store,
  budget: createBudget(table, logger),
  watches: { open: () => Promise.reject(new Error('the function place serves no watches')) },
  clock,
  random,
  logger,
  metrics,
  auditing: createAuditing({ logger, metrics }),
  authorLife: authorLife(),
  announce: async () => undefined,
  maximumBytes: MAXIMUM_BUFFERED_BYTES,
});

/** The function for POST of a PlacementReview. It keeps the cluster state in memory between requests. */
export const handler = middy(serveBuffered({ api, clock, methods: ['POST'] }))
  .use(injectLambdaContext(powertools))
  .use(publishing);
