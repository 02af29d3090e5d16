import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { createVerifier } from '../lib/login/index.ts';
import { systemClock as clock, ENVIRONMENT } from '../lib/platform/index.ts';
import { createAskSts, createAuthorize } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { required } from './required.ts';

const { powertools, logger } = createLogger('authorizer');
const { metrics, publishing } = createMetrics(logger);
const verify = createVerifier({
  clusterId: required('clusterId'),
  partition: required('partition'),
  ask: createAskSts({ endpoint: process.env[ENVIRONMENT.stsEndpoint] }),
  clock,
});
const principals = new Set<string>(JSON.parse(required('principals')));

/** API Gateway asks it of every token: who is it, and may they in? */
export const handler = middy(createAuthorize({ verify, principals, logger, metrics }))
  .use(injectLambdaContext(powertools))
  .use(publishing);
