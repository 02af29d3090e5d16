import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { systemClock as clock, systemRandom as random } from '../lib/platform/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { fillGap, type JsonValue, patientTable } from '../lib/store/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { required } from './required.ts';
import { timeLeft } from './time-left.ts';

/** Who only reads has gaps of the journal filled here: what it says is looked up, and waited for, anew. */

const { powertools, logger } = createLogger('fill');
const { metrics, publishing } = createMetrics(logger);
const table = openTable({ tableName: required('table'), clock });

const fill = (gap: JsonValue, context: Context): Promise<void> => {
  const deadline = clock.deadline(timeLeft(context));
  return fillGap(
    { table: patientTable({ table, clock, random, metrics, deadline }), clock, logger, metrics },
    gap,
  );
};

export const handler = middy(fill).use(injectLambdaContext(powertools)).use(publishing);
