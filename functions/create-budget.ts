import { createRequestBudget, type RequestBudget } from '../lib/budget/index.ts';
import { systemClock as clock, type Logger, readRequestRate } from '../lib/platform/index.ts';
import type { Table } from '../lib/store/index.ts';
import { optional } from './environment/index.ts';

/** Creates the request budget of each user; undefined if the deployment sets no limit. */
export function createBudget(table: Table, logger: Logger): RequestBudget | undefined {
  const rate = readRequestRate(optional('requestsPerUser') ?? 'off');
  return rate && createRequestBudget({ ...rate, table, clock, logger });
}
