import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRequestBudget } from '../../../lib/budget/index.ts';
import { mapBounded, silentLogger } from '../../../lib/platform/index.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { startTable, type TestTable } from '../../support/store/table.ts';

let database: TestTable;
beforeAll(async () => {
  database = await startTable();
});
afterAll(() => database.stop());

/** The largest difference between the clocks of two processes, in ms. */
const APART = 400;

const cases = fc.record({
  rate: fc.integer({ min: 1, max: 60 }),
  burst: fc.integer({ min: 1, max: 120 }),
  skews: fc.array(fc.nat(APART), { minLength: 2, maxLength: 8 }),
  steps: fc.array(fc.record({ pause: fc.nat(800), each: fc.integer({ min: 1, max: 25 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
});

it('processes that share one budget in DynamoDB stay within the limit of every window', async () => {
  let users = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ rate, burst, skews, steps }) => {
      users += 1;
      const time = new OwnedClock();
      const { table } = database;
      const processes = skews.map((skew) => {
        const clock = new OwnedClock(time.now() + skew);
        return {
          clock,
          budget: createRequestBudget({ rate, burst, table, clock, logger: silentLogger }),
        };
      });
      const admitted: { at: number; requests: number }[] = [];
      for (const { pause, each } of steps) {
        time.advance(pause);
        for (const { clock } of processes) clock.advance(pause);
        const requests = processes.flatMap(({ budget }) => Array.from({ length: each }, () => budget));
        const answers = await mapBounded(requests, 64, (budget) => budget.take(`user-${users}`));
        admitted.push({ at: time.now(), requests: answers.filter((one) => one === undefined).length });
      }
      for (const [from, first] of admitted.entries()) {
        let sum = 0;
        for (const last of admitted.slice(from)) {
          sum += last.requests;
          const seconds = (last.at - first.at + APART) / 1_000;
          expect(sum).toBeLessThanOrEqual(1.5 * burst + rate * seconds + 1);
        }
      }
      // A new user has half the burst at once, no matter which processes the requests reach.
      expect(admitted[0]?.requests).toBeGreaterThanOrEqual(
        Math.min(burst / 2, skews.length * (steps[0]?.each ?? 0)) - Math.ceil((rate * APART) / 1_000),
      );
    }),
    { numRuns: 25 },
  );
});
