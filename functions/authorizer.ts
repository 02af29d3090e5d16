import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { createLogin } from './create-login.ts';
import { createAuthorize } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

const { powertools, logger } = createLogger('authorizer');
const { metrics, publishing } = createMetrics(logger);

/** API Gateway asks it of every token: who is it, and may they in? */
export const handler = middy(createAuthorize(createLogin({ logger, metrics })))
  .use(injectLambdaContext(powertools))
  .use(publishing);
