import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { type MetricName, TIMING } from '../../../lib/platform/index.ts';
import { GoneError, OutOfTimeError, type Table, UnavailableError } from '../../../lib/store/index.ts';
import { holeRow } from '../../../lib/store/journal.ts';
import { type Gaps, settledEntries, settledFront } from '../../../lib/store/settle.ts';
import { raiseWatermark } from '../../../lib/store/watermarks.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const collection: Collection = 'test/things';
let clock: VirtualClock;
let table: FaultyTable;
/** The pauses that are over, in ms; the sizes of the batches read; the warnings, and what was measured. */
let slept: number[];
let read: number[];
let warned: unknown[];
let measured: MetricName[];

beforeEach(() => {
  clock = createVirtualClock();
  [slept, read, warned, measured] = [[], [], [], []];
  table = createFaultyTable(createMemoryTable(), {
    batchGet: (next, keys, signal) => {
      read.push(keys.length);
      return next(keys, signal);
    },
  });
});

function options(deadline?: AbortSignal) {
  const sleep: typeof clock.sleep = async (milliseconds, signal) => {
    await clock.sleep(milliseconds, signal);
    slept.push(milliseconds);
  };
  const none = () => {};
  const logger = {
    debug: none,
    info: none,
    error: none,
    warn: (_: string, data: unknown) => warned.push(data),
  };
  const metrics = { record: (metric: MetricName) => measured.push(metric) };
  const own: Table = deadline === undefined ? table : { ...table, deadline };
  return { table: own, clock: { ...clock, sleep }, logger, metrics, collection };
}

async function write(...rvs: readonly number[]): Promise<void> {
  for (const rv of rvs) await table.put(holeRow(collection, rv, clock.now()));
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const entries = async (from: number, to: number, deadline?: AbortSignal) =>
  (await settledEntries(options(deadline), from, to)).map(({ rv }) => rv);
const front = async (from: number, to: number, gaps: Gaps = new Map()) =>
  (await settledFront(options(), { from, to, gaps, wait: 'first' })).map(({ rv }) => rv);

describe('settled entries', () => {
  it('are read a hundred at a time, without other reads if no entry is missing', async () => {
    await write(...range(2, 251));
    expect(await entries(2, 251)).toEqual(range(2, 251));
    expect(read).toEqual([100, 100, 50]);
    expect(slept).toEqual([]);
    expect(await entries(5, 4)).toEqual([]);
  });

  it('are awaited with growing pauses, and each wait reads only the gaps', async () => {
    await write(2, 4, 5, 7);
    expect(await entries(2, 7)).toEqual(range(2, 7));
    const pauses = [5, 10, 20, 40, 80, 160, ...Array(15).fill(250)];
    expect(slept).toEqual(pauses);
    expect(read).toEqual([6, ...Array(pauses.length).fill(4), 4]);
    expect(warned).toEqual([{ collection, resourceVersions: [3, 6] }]);
    expect(measured).toEqual(['HolesFilled', 'HolesFilled']);
  });

  it('are returned as soon as they exist', async () => {
    await write(2);
    const arrives = async () => {
      if (read.length === 3) await write(3);
    };
    table.faults.batchGet = async (next, keys) => {
      read.push(keys.length);
      await arrives();
      return next(keys);
    };
    expect(await entries(2, 3)).toEqual([2, 3]);
    expect(slept).toEqual([5, 10]);
    expect(read).toEqual([2, 1, 1]);
    expect(warned).toEqual([]);
  });

  it('become no holes if they arrive at the very last read', async () => {
    const began = clock.now();
    table.faults.get = async (next, key) => {
      if (clock.now() - began >= TIMING.grace) await write(2);
      return next(key);
    };
    expect(await entries(2, 2)).toEqual([2]);
    expect(warned).toEqual([]);
  });

  it('name ten of the given-up resourceVersions in the warning, and decide ten at once', async () => {
    let underway = 0;
    let most = 0;
    table.faults.put = async (next, row, condition) => {
      underway += 1;
      most = Math.max(most, underway);
      await new Promise(setImmediate);
      underway -= 1;
      return next(row, condition);
    };
    await entries(2, 21);
    expect(warned).toEqual([{ collection, resourceVersions: range(2, 11) }]);
    expect(most).toBe(10);
  });
});

describe('a missing entry', () => {
  it.each([
    ['compacted', 3],
    ['compacted', 4],
  ] as const)('is gone at once if it is below the watermark "%s" %i', async (mark, value) => {
    await write(2);
    await raiseWatermark(table, collection, mark, value);
    await expect(entries(2, 5)).rejects.toThrow(GoneError);
    expect(slept).toEqual([]);
  });

  it('is not gone if it is above the watermark', async () => {
    await write(2);
    await raiseWatermark(table, collection, 'compacted', 2);
    await raiseWatermark(table, collection, 'settled', 2);
    expect(await entries(2, 3)).toEqual([2, 3]);
  });

  it('is gone after its grace if it was settled, and gets no hole', async () => {
    await raiseWatermark(table, collection, 'settled', 2);
    await expect(entries(2, 2)).rejects.toThrow(GoneError);
    expect(slept).not.toEqual([]);
    expect(measured).toEqual([]);
  });

  it('is not mistaken for gone if another process settles it meanwhile', async () => {
    const began = clock.now();
    table.faults.get = async (next, key) => {
      if (clock.now() - began >= TIMING.grace) {
        await write(2);
        await raiseWatermark(table, collection, 'settled', 2);
      }
      return next(key);
    };
    expect(await entries(2, 2)).toEqual([2]);
  });

  it('stays undecided while the table does not decide', async () => {
    table.faults.put = async () => ({ outcome: 'busy' });
    await expect(entries(2, 2)).rejects.toThrow(UnavailableError);
    expect(measured).toEqual(['UndecidedHoles']);
    const late = clock.deadline(TIMING.grace + 100);
    await expect(entries(2, 2, late)).rejects.toThrow(OutOfTimeError);
  });
});

describe('the settled front', () => {
  it('is at most one batch, and waits for nothing if its first entry exists', async () => {
    await write(...range(2, 250));
    expect(await front(2, 250)).toEqual(range(2, 101));
    expect(await front(240, 250)).toEqual(range(240, 250));
    expect(read).toEqual([100, 11]);
  });

  it('ends at the first gap', async () => {
    await write(2, 3, 5);
    expect(await front(2, 5)).toEqual([2, 3]);
    expect(slept).toEqual([]);
  });

  it('waits for its first entry only', async () => {
    await write(3);
    expect(await front(2, 4)).toEqual([2, 3, 4]);
    expect(slept.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThanOrEqual(TIMING.grace);
    await write(6);
    clock.sleep = async (milliseconds) => {
      clock.advance(milliseconds);
      await write(5);
    };
    slept = [];
    expect(await front(5, 7)).toEqual([5, 6]);
    expect(slept).toEqual([5]);
  });

  it('gives gaps that it saw together one grace', async () => {
    await write(2, 5);
    const gaps: Gaps = new Map([[1, clock.now()]]);
    expect(await front(2, 6, gaps)).toEqual([2]);
    expect([...gaps.keys()]).toEqual([3, 4, 6]);
    clock.advance(TIMING.grace);
    expect(await front(3, 6, gaps)).toEqual([3, 4, 5, 6]);
    expect(slept).toEqual([]);
  });
});

describe('the settled front of a caller that does not wait', () => {
  it('is what one read decides, and its gaps begin their grace then', async () => {
    await write(2, 3, 5);
    const gaps: Gaps = new Map();
    const decided = async (from: number) =>
      (await settledFront(options(), { from, to: 5, gaps, wait: 'none' })).map(({ rv }) => rv);
    expect(await decided(2)).toEqual([2, 3]);
    expect(await decided(4)).toEqual([]);
    expect(slept).toEqual([]);
    expect(read).toHaveLength(2);
    clock.advance(TIMING.grace);
    expect(await front(4, 5, gaps)).toEqual([4, 5]);
    expect(slept).toEqual([]);
  });
});
