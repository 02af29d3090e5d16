import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import type { LogData, Logger } from '../lib/platform/index.ts';
import type { Report } from './faults.ts';
import { originalStack } from './original-stack.ts';
import { requestContext } from './request-context.ts';

/** A function's structured logger, for middy's `injectLambdaContext` and for `lib`. */
export interface FunctionLogger {
  readonly powertools: PowertoolsLogger;
  readonly logger: Logger;
  /** Writes an error line also if the log level leaves errors out: the alarm needs it. */
  readonly report: Report;
}

export function createLogger(serviceName: string): FunctionLogger {
  const powertools = new PowertoolsLogger({ serviceName, jsonReplacerFn });
  const inContext = (data: LogData = {}) => ({ ...requestContext(), ...data });
  const logger: Logger = {
    debug: (message, data) => powertools.debug(message, inContext(data)),
    info: (message, data) => powertools.info(message, inContext(data)),
    warn: (message, data) => powertools.warn(message, inContext(data)),
    error: (message, data) => powertools.error(message, inContext(data)),
  };
  const report: Report = (message, data) => {
    // `winnow start` has no alarm. It would print a line for each watch that it ends.
    if (process.env.WINNOW_FAULT_LINES === 'off') return;
    // The child has the request id that middy gave to its parent.
    powertools.createChild({ logLevel: 'ERROR' }).error(message, inContext(data));
  };
  return { powertools, logger, report };
}

function jsonReplacerFn(key: string, value: unknown): unknown {
  return key === 'stack' && typeof value === 'string' ? originalStack(value) : value;
}
