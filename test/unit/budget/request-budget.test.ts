import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRequestBudget, type RequestBudget } from '../../../lib/budget/index.ts';
import { type Clock, type RequestRate, silentLogger, TIMING } from '../../../lib/platform/index.ts';
import {
  type Row,
  type Table,
  ThrottledError,
  UnavailableError,
  UnknownSchemaError,
} from '../../../lib/store/index.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const RATE: RequestRate = { rate: 50, burst: 200 };
/** How long the tokens of a drawn block stay valid, in ms. */
const LEASE = 2_000;

let clock: OwnedClock;
let rows: Table;
let updates: number;
let table: Table;

beforeEach(() => {
  clock = new OwnedClock();
  rows = createMemoryTable();
  updates = 0;
  table = {
    ...rows,
    update: (...asked) => {
      updates += 1;
      return rows.update(...asked);
    },
  };
});

const process = (given: Partial<RequestRate> & { table?: Table; clock?: Clock } = {}): RequestBudget =>
  createRequestBudget({ ...RATE, table, clock, logger: silentLogger, ...given });

/** Returns how many of the given number of consecutive requests are admitted. */
async function admittedOf(requests: number, budget: RequestBudget, user = 'alice'): Promise<number> {
  let admitted = 0;
  for (let request = 0; request < requests; request += 1) {
    if ((await budget.take(user)) === undefined) admitted += 1;
  }
  return admitted;
}

describe('the budget of one user', () => {
  it('A budget admits the burst at once, and then the rate', async () => {
    const budget = process();
    expect(await admittedOf(300, budget)).toBe(200);
    clock.advance(1_000);
    expect(await admittedOf(300, budget)).toBe(50);
  });

  it('All processes share the budget of a user', async () => {
    const processes = Array.from({ length: 30 }, () => process());
    const admitted = await Promise.all(processes.map((one) => admittedOf(20, one)));
    expect(admitted.reduce((sum, one) => sum + one, 0)).toBe(200);
  });

  it('A budget admits an informer that opens 20 watches on 20 cold processes, and a burst on 200', async () => {
    const processes = Array.from({ length: 200 }, () => process());
    const admitted = await Promise.all(processes.map((one) => admittedOf(1, one)));
    expect(admitted).toEqual(processes.map(() => 1));
  });

  it('Two users have separate budgets, whatever their names are', async () => {
    const budget = process();
    await admittedOf(201, budget, 'alice');
    for (const name of ['bob', 'alice#', '', 'a'.repeat(5_000), 'é\n']) {
      expect(await admittedOf(1, budget, name)).toBe(1);
    }
  });

  it('A process draws tokens in blocks that grow to 50, so a warm request sends no request to the table', async () => {
    const budget = process({ rate: 1_000, burst: 4_000 });
    await admittedOf(63, budget);
    expect(updates).toBe(6);
    await admittedOf(500, budget);
    expect(updates).toBe(16);
  });

  it('A refusal gives the retry time in whole seconds, and the process asks the table for nothing until then', async () => {
    const budget = process({ rate: 1, burst: 3 });
    expect(await admittedOf(3, budget)).toBe(3);
    expect(await budget.take('alice')).toEqual({ retryAfterSeconds: 1 });
    const before = updates;
    clock.advance(999);
    expect(await admittedOf(1_000, budget)).toBe(0);
    expect(updates).toBe(before);
    clock.advance(1);
    expect(await admittedOf(2, budget)).toBe(1);
  });

  it('A process that has seen the bucket empty sends no request to the table', async () => {
    const [first, second] = [process({ burst: 1, rate: 1 }), process({ burst: 1, rate: 1 })];
    expect(await admittedOf(1, first)).toBe(1);
    expect(await admittedOf(1, second)).toBe(0);
    const before = updates;
    expect(await admittedOf(1, first)).toBe(0);
    expect(updates).toBe(before);
  });

  it('Unused tokens of a block are lost when the block expires', async () => {
    const budget = process();
    await admittedOf(3, budget);
    clock.advance(LEASE);
    const before = updates;
    await admittedOf(1, budget);
    expect(updates).toBe(before + 1);
  });

  it('The row of a budget expires after the bucket is full again', async () => {
    const seen: Row[] = [];
    const kept: Table = {
      ...table,
      update: async (...asked) => {
        const answer = await rows.update(...asked);
        if (answer.row) seen.push(answer.row);
        return answer;
      },
    };
    await admittedOf(20, process({ table: kept }));
    expect(seen.length).toBeGreaterThan(3);
    for (const { pk, ttl, full } of seen) {
      expect(pk).toMatch(/^budget#[\w-]{43}$/);
      expect(Number(ttl) * 1e6).toBeGreaterThan(Number(full) + 3_599e6);
    }
  });
});

describe('Concurrent requests of one process', () => {
  it('Concurrent requests share one draw and are admitted up to the budget', async () => {
    const budget = process();
    const answers = await Promise.all(Array.from({ length: 250 }, () => budget.take('alice')));
    expect(answers.filter((one) => one === undefined)).toHaveLength(200);
    expect(updates).toBeLessThan(110);
  });
});

describe('A budget whose table fails to count', () => {
  const failing = (error: Error): Table => ({
    ...table,
    update: async () => {
      updates += 1;
      throw error;
    },
  });

  it('A process admits ten requests per block time for each draw without an answer, so a failing table stops no user', async () => {
    const budget = process({ table: failing(new UnavailableError('gone')) });
    expect(await admittedOf(10, budget)).toBe(10);
    expect(updates).toBe(1);
    expect(await admittedOf(1, budget)).toBe(1);
    expect(updates).toBe(2);
  });

  it('A draw waits one second at most, and a lost answer costs the user at most its block', async () => {
    let lost = 0;
    const budget = process({
      table: {
        ...table,
        update: async (key, change, signal) => {
          if (lost > 0) return table.update(key, change, signal);
          lost += 1;
          await table.update(key, change);
          return new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(new UnavailableError('lost'))),
          );
        },
      },
    });
    const first = budget.take('alice');
    await Promise.resolve();
    clock.advance(1_000);
    expect(await first).toBeUndefined();
    expect(await admittedOf(300, budget)).toBeGreaterThanOrEqual(200);
  });

  it('A budget refuses requests when its row is throttled, which happens only in a flood', async () => {
    const budget = process({ table: failing(new ThrottledError('slow down')) });
    expect(await budget.take('alice')).toEqual({ retryAfterSeconds: 1 });
    expect(await admittedOf(50, budget)).toBe(0);
    expect(updates).toBe(1);
  });

  it('A request fails if the schema of the budget rows is unknown', async () => {
    const budget = process({ table: failing(new UnknownSchemaError(9, { oldest: 1, newest: 2 })) });
    await expect(budget.take('alice')).rejects.toThrow(UnknownSchemaError);
  });
});

describe('Clocks of request budgets', () => {
  it('A clock that was set back delays no request and gives no user the old block', async () => {
    let back = 0;
    const setBack = { ...still(clock), now: () => clock.now() - back };
    const budget = process({ rate: 1, burst: 2, clock: setBack });
    expect(await admittedOf(3, budget)).toBe(2);
    back = 600_000;
    expect(await admittedOf(3, budget)).toBe(2);
  });

  it('A row from a clock that is minutes ahead is corrected by the other processes', async () => {
    const ahead = new OwnedClock(clock.now() + 10 * 60_000);
    await admittedOf(5, process({ clock: ahead }));
    expect(await admittedOf(50, process())).toBe(50);
  });

  it('Clocks that differ by less than the allowed skew correct nothing', async () => {
    const ahead = new OwnedClock(clock.now() + TIMING.skew - 1_000);
    await admittedOf(1, process({ clock: ahead }));
    expect(await admittedOf(1, process())).toBe(0);
  });
});

interface Step {
  /** Milliseconds since the previous step. */
  readonly pause: number;
  readonly process: number;
  readonly requests: number;
}

const SKEW = 200;
const steps = fc.array(
  fc.record({ pause: fc.nat(700), process: fc.nat(5), requests: fc.integer({ min: 1, max: 90 }) }),
  { minLength: 1, maxLength: 60 },
);
const skews = fc.array(fc.integer({ min: -SKEW, max: SKEW }), { minLength: 6, maxLength: 6 });
const rates = fc.record({ rate: fc.integer({ min: 1, max: 80 }), burst: fc.integer({ min: 1, max: 300 }) });

describe('Budgets over all processes, with clocks that differ', () => {
  it('Any T seconds admit at most 1.5 times the burst plus the rate times T plus the clock difference', async () => {
    await fc.assert(
      fc.asyncProperty(steps, skews, rates, async (asked, apart, rate) => {
        const admitted = await admissions(asked, apart, rate);
        for (let from = 0; from < admitted.length; from += 1) {
          let requests = 0;
          for (let to = from; to < admitted.length; to += 1) {
            requests += admitted[to]?.requests ?? 0;
            const seconds = ((admitted[to]?.at ?? 0) - (admitted[from]?.at ?? 0) + 2 * SKEW) / 1_000;
            expect(requests).toBeLessThanOrEqual(1.5 * rate.burst + rate.rate * seconds + 1);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('A user who stays below the rate and half the burst is never refused', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 80 }), async (asked, rate) => {
        const burst = 4 * rate;
        let level = burst / 2 - 1;
        const within = asked.map(({ pause, process: one, requests }) => {
          level = Math.min(burst / 2 - 1, level + (pause * rate) / 1_000);
          const taken = Math.max(0, Math.min(requests, Math.floor(level)));
          level -= taken;
          return { pause, process: one, requests: taken };
        });
        const admitted = await admissions(within, [0, 0, 0, 0, 0, 0], { rate, burst });
        expect(admitted.map(({ requests }) => requests)).toEqual(within.map(({ requests }) => requests));
      }),
      { numRuns: 150 },
    );
  });
});

/** How many requests of each step are admitted, and when. */
async function admissions(asked: readonly Step[], apart: readonly number[], rate: RequestRate) {
  const own = createMemoryTable();
  const time = new OwnedClock();
  const start = time.now();
  const processes = apart.map((skew) =>
    process({ ...rate, table: own, clock: { ...still(time), now: () => time.now() + skew } }),
  );
  const admitted: { at: number; requests: number }[] = [];
  for (const { pause, process: one, requests } of asked) {
    time.advance(pause);
    const budget = processes[one];
    if (budget === undefined) throw new Error('there is no such process');
    admitted.push({ at: time.now() - start, requests: await admittedOf(requests, budget) });
  }
  return admitted;
}

const still = (time: OwnedClock): Clock => ({
  now: () => time.now(),
  sleep: (...asked) => time.sleep(...asked),
  deadline: (...asked) => time.deadline(...asked),
  every: (...asked) => time.every(...asked),
});
