import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import type { LogData, Logger } from '../lib/platform/index.ts';
import { originalStack } from './original-stack.ts';
import { requestContext } from './request-context.ts';

/** Creates a function's structured logger, in two forms: for middy's `injectLambdaContext`, and for `lib`. */
export function createLogger(serviceName: string): { powertools: PowertoolsLogger; logger: Logger } {
  const powertools = new PowertoolsLogger({ serviceName, jsonReplacerFn });
  const inContext = (data: LogData = {}) => ({ ...requestContext(), ...data });
  const logger: Logger = {
    debug: (message, data) => powertools.debug(message, inContext(data)),
    info: (message, data) => powertools.info(message, inContext(data)),
    warn: (message, data) => powertools.warn(message, inContext(data)),
    error: (message, data) => powertools.error(message, inContext(data)),
  };
  return { powertools, logger };
}

function jsonReplacerFn(key: string, value: unknown): unknown {
  return key === 'stack' && typeof value === 'string' ? originalStack(value) : value;
}
