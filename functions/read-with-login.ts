import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { createLogin } from './create-login.ts';
import { behindLogin } from './http/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { handler as read } from './read.ts';

const { powertools, logger, report } = createLogger('read');
const { metrics, publish } = createMetrics({ logger, report });
const admit = createLogin({ logger, metrics });

/** `read` behind a gateway without an authorizer: it authenticates every request itself. */
export const handler = read
  .use(injectLambdaContext(powertools))
  .before(behindLogin({ admit, logger, over: publish }));
