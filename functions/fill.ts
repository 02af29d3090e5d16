import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { isJsonObject, type JsonValue } from '../lib/json/index.ts';
import { systemClock as clock, systemRandom as random } from '../lib/platform/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { answerWatchRequest, fillGap, retryingTable } from '../lib/store/index.ts';
import { optional, required } from './environment/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { timeLeft } from './time-left.ts';

/**
 * The function that writes for read-only functions. It fills journal gaps, which it checks and waits for itself. It
 * also counts the open watches of a user, if the deployment limits them.
 */

const { powertools, logger, report } = createLogger('fill');
const { metrics, publishing } = createMetrics({ logger, report });
const table = openTable({ tableName: required('table'), clock });
/** The most open watches of one user; undefined without a limit. */
const most = optional('watchesPerUser');

const fill = async (asked: JsonValue, context: Context): Promise<JsonValue> => {
  const deadline = clock.deadline(timeLeft(context));
  const patient = retryingTable({ table, clock, random, metrics, deadline });
  if (most !== undefined && isJsonObject(asked) && asked.watch !== undefined) {
    return answerWatchRequest({ table: patient, clock, random, most: Number(most) }, asked);
  }
  await fillGap({ table: patient, clock, logger, metrics }, asked);
  return null;
};

export const handler = middy(fill).use(injectLambdaContext(powertools)).use(publishing);
