import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { createLogin } from './create-login.ts';
import { createAuthorize } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

const { powertools, logger, report } = createLogger('authorizer');
// An error means a refused token, or an unchecked login, which has a metric of its own.
const { metrics, publishing } = createMetrics({ logger, report, isFault: () => false });

/** The Lambda authorizer of API Gateway. It authenticates a token, and decides whether its owner may log in. */
export const handler = middy(createAuthorize(createLogin({ logger, metrics })))
  .use(injectLambdaContext(powertools))
  .use(publishing);
