import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Random } from '../../../lib/platform/index.ts';
import {
  OutOfTimeError,
  retryingTable,
  type Table,
  ThrottledError,
  type TransactOutcome,
  UnavailableError,
} from '../../../lib/store/index.ts';
import { isMetered } from '../../../lib/store/table.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const KEY = { pk: 'p', sk: 'a' };
const ROW = { ...KEY, size: 1 };
const throttled = new ThrottledError('slow down');
const unanswered = new UnavailableError('no answer');

let faulty: FaultyTable;
let clock: VirtualClock;

beforeEach(() => {
  faulty = createFaultyTable(createMemoryTable());
  clock = createVirtualClock();
});

function patient(deadline?: AbortSignal, random: Random = { ...seeded(1), fraction: () => 1 }): Table {
  return retryingTable({ table: faulty, clock, random, deadline });
}

/** Lets an operation fail `failures` times, and counts its calls. */
function failing(operation: keyof typeof OPERATIONS, error: Error, failures: number): { calls: number } {
  const seen = { calls: 0 };
  const fault = (next: (...request: never[]) => Promise<never>, ...request: never[]) => {
    seen.calls += 1;
    return seen.calls <= failures ? Promise.reject(error) : next(...request);
  };
  faulty.faults = { [operation]: fault };
  return seen;
}

const OPERATIONS = {
  get: (table: Table, signal?: AbortSignal) => table.get(KEY, signal),
  query: (table: Table, signal?: AbortSignal) => table.query({ partition: 'p', from: 'a', to: 'b' }, signal),
  batchGet: (table: Table, signal?: AbortSignal) => table.batchGet([KEY], signal),
  put: (table: Table, signal?: AbortSignal) => table.put(ROW, undefined, signal),
  update: (table: Table, signal?: AbortSignal) => table.update(KEY, { set: { size: 2 } }, signal),
  delete: (table: Table, signal?: AbortSignal) => table.delete(KEY, undefined, signal),
} as const;
const NAMES = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];

describe.each(NAMES)('a retrying %s', (name) => {
  const ask = OPERATIONS[name];

  it.each([
    ['was throttled', throttled],
    ['got no answer', unanswered],
  ])('is retried if it %s', async (_, error) => {
    const seen = failing(name, error, 3);
    await ask(patient());
    expect(seen.calls).toBe(4);
  });

  it.each([
    ['is throttled', throttled],
    ['gets no answer', unanswered],
  ])('fails with the reason if it %s nine times', async (_, error) => {
    const seen = failing(name, error, Number.POSITIVE_INFINITY);
    await expect(ask(patient())).rejects.toBe(error);
    expect(seen.calls).toBe(9);
  });

  it('is sent once if the error is a mistake in the request', async () => {
    const mistake = new Error('ValidationException');
    const seen = failing(name, mistake, 1);
    await expect(ask(patient())).rejects.toBe(mistake);
    expect(seen.calls).toBe(1);
  });

  it('is not sent after the deadline', async () => {
    const seen = failing(name, throttled, 0);
    await expect(ask(patient(AbortSignal.abort()))).rejects.toThrow(OutOfTimeError);
    expect(seen.calls).toBe(0);
  });

  it('ends with the deadline of the table, or with its own signal instead', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    faulty.faults = {
      [name]: async (_next: unknown, ...request: unknown[]) => {
        signals.push(request.find((one) => one instanceof AbortSignal));
        return [];
      },
    };
    const [deadline, own] = [new AbortController().signal, new AbortController().signal];
    await ask(patient(deadline));
    await ask(patient(deadline), own);
    await ask(patient(AbortSignal.abort()), own);
    const spelled = signals.map((signal) => ({ deadline: signal === deadline, own: signal === own }));
    const byOwn = { deadline: false, own: true };
    expect(spelled).toEqual([{ deadline: true, own: false }, byOwn, byOwn]);
  });
});

describe('the pauses between retries', () => {
  const pausesOf = async (random: Random) => {
    const times: number[] = [];
    faulty.faults.get = async () => {
      times.push(clock.now());
      throw throttled;
    };
    await expect(patient(undefined, random).get(KEY)).rejects.toBe(throttled);
    return times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));
  };

  it('double up to two seconds', async () => {
    const pauses = await pausesOf({ ...seeded(1), fraction: () => 1 });
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000]);
  });

  it('are shortened at random, to half at most', async () => {
    expect(await pausesOf({ ...seeded(1), fraction: () => 0 })).toEqual([
      25, 50, 100, 200, 400, 800, 1_000, 1_000,
    ]);
    expect(await pausesOf(seeded(1))).not.toEqual(await pausesOf(seeded(2)));
  });

  it.each([
    ['throttled', throttled, ThrottledError],
    ['silent', unanswered, OutOfTimeError],
  ])('end with the deadline, and a table that is %s fails with the right error', async (_, error, told) => {
    const seen = failing('get', error, Number.POSITIVE_INFINITY);
    await expect(patient(clock.deadline(120)).get(KEY)).rejects.toThrow(told);
    expect(seen.calls).toBe(2);
  });
});

describe('the retrying table', () => {
  it('sends a request again only after the pause', async () => {
    const owned = new OwnedClock();
    const seen = failing('get', throttled, 1);
    const table = retryingTable({ table: faulty, clock: owned, random: { ...seeded(1), fraction: () => 1 } });
    const row = table.get(KEY);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(seen.calls).toBe(1);
    owned.advance(50);
    await row;
    expect(seen.calls).toBe(2);
  });

  it('exposes its deadline, and is metered if the wrapped table is', () => {
    const { signal } = new AbortController();
    expect(patient(signal).deadline).toBe(signal);
    expect('deadline' in patient()).toBe(false);
    expect(isMetered(patient())).toBe(false);
    const metered = { ...faulty, metered: () => faulty };
    const table = retryingTable({ table: metered, clock, random: seeded(1) });
    expect(isMetered(table) && table.metered(() => {})).toHaveProperty('get');
  });
});

describe('an ADD', () => {
  const add = (table: Table) => table.update(KEY, { add: { rv: 1 } });

  it('is retried if it was throttled', async () => {
    failing('update', throttled, 3);
    expect((await add(patient())).row?.rv).toBe(1);
  });

  it('is not retried if its answer was lost, because it may have succeeded', async () => {
    const seen = failing('update', unanswered, 1);
    await expect(add(patient())).rejects.toBe(unanswered);
    expect(seen.calls).toBe(1);
  });
});

describe('a transaction', () => {
  const transact = (outcomes: readonly TransactOutcome[], signal = clock.deadline(2_000)) => {
    const left = [...outcomes];
    faulty.faults.transact = async () => left.shift() ?? { outcome: 'committed' };
    return patient()
      .transact([{ put: ROW }], signal)
      .then(({ outcome }) => [outcome, left.length]);
  };
  const throttledOnly: TransactOutcome = { outcome: 'cancelled', throttled: true };

  it('is retried if only throttling cancelled it', async () => {
    expect(await transact([throttledOnly, throttledOnly])).toEqual(['committed', 0]);
  });

  it.each<[string, TransactOutcome]>([
    ['failed a condition', { outcome: 'cancelled', throttled: false }],
    ['has an unknown outcome', { outcome: 'unknown', throttled: true }],
  ])('is not retried if it %s', async (_, outcome) => {
    expect(await transact([outcome, outcome])).toEqual([outcome.outcome, 1]);
  });

  it('is reported as throttled if it was throttled before its outcome became unknown', async () => {
    const left: TransactOutcome[] = [throttledOnly, { outcome: 'unknown' }];
    faulty.faults.transact = async () => left.shift() ?? { outcome: 'committed' };
    const answer = await patient().transact([{ put: ROW }], clock.deadline(2_000));
    expect(answer).toEqual({ outcome: 'unknown', throttled: true });
  });

  it('is retried no longer than its signal lasts', async () => {
    const [outcome, left] = await transact(Array(20).fill(throttledOnly), clock.deadline(500));
    expect(outcome).toBe('cancelled');
    expect(left).toBe(20 - 4);
  });

  it('is tried nine times', async () => {
    expect(await transact(Array(20).fill(throttledOnly), clock.deadline(60_000))).toEqual(['cancelled', 11]);
  });
});
