import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import type { Logger } from '../lib/platform/index.ts';

/** A function's structured logger, for middy's `injectLambdaContext`, and the same as the library takes one. */
export function createLogger(serviceName: string): { powertools: PowertoolsLogger; logger: Logger } {
  const powertools = new PowertoolsLogger({ serviceName });
  const logger: Logger = {
    debug: (message, data = {}) => powertools.debug(message, data),
    info: (message, data = {}) => powertools.info(message, data),
    warn: (message, data = {}) => powertools.warn(message, data),
    error: (message, data = {}) => powertools.error(message, data),
  };
  return { powertools, logger };
}
