import { createRequestBudget, type RequestBudget } from '../lib/budget/index.ts';
import { systemClock as clock, type Logger, readRequestRate } from '../lib/platform/index.ts';
import type { Table } from '../lib/store/index.ts';
import { optional } from './environment/index.ts';

/** The budget of each user's requests; undefined where the deployment does not bound them. */
export function createBudget(table: Table, logger: Logger): RequestBudget | undefined {
  const rate = readRequestRate(optional('requestsPerUser') ?? 'off');
  return rate && createRequestBudget({ ...rate, table, clock, logger });
}
