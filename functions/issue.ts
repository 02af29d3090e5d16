import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { accountIssuer } from '../lib/login/index.ts';
import { systemClock as clock, systemRandom as random } from '../lib/platform/index.ts';
import { createApi, issuingVerbs } from '../lib/server/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { createStore } from '../lib/store/index.ts';
import { createAuditing } from './auditing/index.ts';
import { createBudget } from './create-budget.ts';
import { authorLife, required } from './environment/index.ts';
import { createAskFill, createFiller } from './fill-client/index.ts';
import { serveBuffered } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { reviewTokens } from './review-tokens.ts';
import { createTokenKey } from './token-key.ts';

const { powertools, logger, report } = createLogger('issue');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
const filler = createFiller(createAskFill(required('fillFunction')));
const store = createStore({ table, clock, random, logger, metrics, filler });
const tokenKey = createTokenKey(required('tokenKey'));

const api = createApi({
  verbs: issuingVerbs,
  store,
  budget: createBudget(table, logger),
  watches: { open: () => Promise.reject(new Error('the function issue serves no watches')) },
  clock,
  random,
  logger,
  metrics,
  auditing: createAuditing({ logger, metrics }),
  authorLife: authorLife(),
  announce: async () => undefined,
  tokens: {
    issuer: accountIssuer(required('clusterId')),
    sign: (claims) => tokenKey.sign(claims),
    review: reviewTokens(tokenKey),
  },
});

/** The function for POST of a TokenRequest or a TokenReview. Only this function may sign tokens. */
export const handler = middy(serveBuffered({ api, clock, methods: ['POST'] }))
  .use(injectLambdaContext(powertools))
  .use(publishing);
