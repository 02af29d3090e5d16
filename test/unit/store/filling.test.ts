import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, JsonValue } from '../../../lib/json/index.ts';
import { type MetricName, silentLogger, TIMING } from '../../../lib/platform/index.ts';
import {
  type Filler,
  fillGap,
  type GapRange,
  headKey,
  OutOfTimeError,
  UnavailableError,
} from '../../../lib/store/index.ts';
import { holeRow, readEntries } from '../../../lib/store/journal.ts';
import { type Gaps, settledEntries, settledFront } from '../../../lib/store/settle.ts';
import { raiseWatermark } from '../../../lib/store/watermarks.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const collection: Collection = 'test/things';
let clock: VirtualClock;
let began: number;
let table: FaultyTable;
let asked: GapRange[];
let measured: MetricName[];
let puts: number;

beforeEach(() => {
  clock = createVirtualClock();
  began = clock.now();
  [asked, measured, puts] = [[], [], 0];
  table = createFaultyTable(createMemoryTable(), {
    put: (next, row, condition) => {
      puts += 1;
      return next(row, condition);
    },
  });
});

const metrics = { record: (metric: MetricName) => void measured.push(metric) };
const common = () => ({ table, clock, logger: silentLogger, metrics });
const write = (...rvs: readonly number[]) =>
  Promise.all(rvs.map((rv) => table.put(holeRow(collection, rv, clock.now()))));
const allot = (rv: number) => table.update(headKey(collection), { add: { rv } });
const standing = async (from: number, to: number) =>
  (await readEntries(table, collection, from, to)).map(({ rv }) => rv);

describe('a read-only function', () => {
  /** A filler that does that, in turn. */
  const fillerOf = (...answers: readonly Filler['fill'][]): Filler => ({
    fill: (gap, signal) => {
      const [first, ...others] = answers;
      const answer = asked.length === 0 ? first : (others[asked.length - 1] ?? answers.at(-1));
      asked.push(gap);
      return answer?.(gap, signal) ?? Promise.resolve();
    },
  });
  const fills: Filler['fill'] = async ({ from, to }) => {
    for (let rv = from; rv <= to; rv += 1) await write(rv);
  };
  const fails: Filler['fill'] = () => Promise.reject(new Error('not now'));
  const settled = async (filler: Filler, from: number, to: number, deadline?: AbortSignal) => {
    const own = deadline === undefined ? table : { ...table, deadline };
    const entries = await settledEntries({ ...common(), table: own, collection, filler }, from, to);
    return entries.map(({ rv }) => rv);
  };

  it('asks the filler once to fill a gap that is older than a commit takes, and puts no hole itself', async () => {
    await write(2, 4);
    puts = 0;
    const filler = fillerOf(async (gap) => {
      expect(clock.now() - began).toBeGreaterThanOrEqual(TIMING.gapAsked);
      await clock.sleep(TIMING.grace);
      await write(gap.from, gap.to);
    });
    expect(await settled(filler, 2, 5)).toEqual([2, 3, 4, 5]);
    expect(asked).toEqual([{ collection, from: 3, to: 5 }]);
    expect({ puts, measured }).toEqual({ puts: 2, measured: [] });
  });

  it('asks no filler if the writer commits in time', async () => {
    clock.every(TIMING.gapAsked - 200, () => void write(2));
    expect(await settled(fillerOf(fails), 2, 2)).toEqual([2]);
    expect(asked).toEqual([]);
  });

  it('reads an entry that is written while the filler waits', async () => {
    const filler = fillerOf(() => new Promise(() => {}));
    clock.every(2_000, () => void write(2));
    expect(await settled(filler, 2, 2)).toEqual([2]);
    expect(asked).toHaveLength(1);
  });

  it('asks again after the filler fails', async () => {
    expect(await settled(fillerOf(fails, fails, fills), 2, 2)).toEqual([2]);
    expect(asked).toHaveLength(3);
  });

  it('reports the gap as undecided after the filler fails three times, and puts no hole', async () => {
    await expect(settled(fillerOf(fails), 2, 2)).rejects.toThrow(UnavailableError);
    expect(asked).toHaveLength(3);
    expect({ puts, measured }).toEqual({ puts: 0, measured: ['UndecidedHoles'] });
  });

  it('does not trust a filler that answers without having filled the gap', async () => {
    await expect(settled(fillerOf(), 2, 2)).rejects.toThrow(UnavailableError);
    expect({ puts, asked: asked.length }).toEqual({ puts: 0, asked: 1 });
  });

  it('waits for no silent filler, and no longer than its deadline', async () => {
    const hangs: Filler['fill'] = (_, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    await expect(settled(fillerOf(hangs), 2, 2)).rejects.toThrow(UnavailableError);
    expect(clock.now() - began).toBeGreaterThanOrEqual(3 * TIMING.fill);
    [began, asked] = [clock.now(), []];
    await expect(settled(fillerOf(hangs), 2, 2, clock.deadline(3_000))).rejects.toThrow(OutOfTimeError);
    expect(clock.now() - began).toBeLessThan(TIMING.fill);
  });

  it('counts the age of a gap from the first call that saw it', async () => {
    await write(2, 4);
    const gaps: Gaps = new Map();
    const front = (from: number, filler: Filler) =>
      settledFront({ ...common(), collection, filler }, { from, to: 6, gaps, wait: 'first' });
    expect((await front(2, fillerOf(fails))).map(({ rv }) => rv)).toEqual([2]);
    expect(asked).toEqual([]);
    clock.advance(TIMING.gapAsked);
    began = clock.now();
    const atOnce: Filler['fill'] = (gap, signal) => {
      expect(clock.now()).toBe(began);
      return fills(gap, signal);
    };
    expect((await front(3, fillerOf(atOnce))).map(({ rv }) => rv)).toEqual([3, 4, 5, 6]);
    expect(asked).toEqual([{ collection, from: 3, to: 6 }]);
  });
});

describe('the filler', () => {
  const fill = (gap: JsonValue) => fillGap(common(), gap);

  it('gives a missing entry its own grace, then puts a hole', async () => {
    await allot(6);
    await write(3);
    puts = 0;
    await fill({ collection, from: 2, to: 5 });
    expect(clock.now() - began).toBeGreaterThanOrEqual(TIMING.grace);
    expect(await standing(2, 6)).toEqual([2, 3, 4, 5]);
    expect(puts).toBe(3);
  });

  it('gives up no writer that commits within the grace', async () => {
    await allot(2);
    clock.every(2_000, () => void write(2));
    await fill({ collection, from: 2, to: 2 });
    expect({ puts, measured }).toEqual({ puts: 1, measured: [] });
  });

  it('fills no resourceVersion that is not allotted', async () => {
    await allot(4);
    await expect(fill({ collection, from: 3, to: 5 })).rejects.toThrow(
      '5 is above 4, the last resourceVersion of test/things',
    );
    await expect(fill({ collection: 'test/others', from: 2, to: 2 })).rejects.toThrow(RangeError);
    expect(puts).toBe(0);
  });

  it('does nothing if the whole range is compacted', async () => {
    await allot(9);
    await raiseWatermark(table, collection, 'compacted', 8);
    await fill({ collection, from: 7, to: 8 });
    expect(puts).toBe(0);
  });

  it('fails if the table does not answer', async () => {
    await allot(3);
    table.faults.batchGet = () => Promise.reject(new Error('no answer'));
    await expect(fill({ collection, from: 2, to: 3 })).rejects.toThrow('no answer');
  });

  it.each<readonly [string, JsonValue]>([
    ['nothing', null],
    ['no object', [2, 3]],
    ['no collection', { from: 2, to: 3 }],
    ['a key', { collection: 'core/pods#x', from: 2, to: 3 }],
    ['two namespaces', { collection: 'a/b/c', from: 2, to: 3 }],
    ['text', { collection, from: '2', to: 3 }],
    ['no whole number', { collection, from: 2, to: 2.5 }],
    ['the version of an empty collection', { collection, from: 1, to: 3 }],
    ['an end before its beginning', { collection, from: 3, to: 2 }],
    ['more than a hundred', { collection, from: 2, to: 102 }],
  ])('refuses %s as a request', async (_, gap) => {
    await allot(200);
    await expect(fill(gap)).rejects.toThrow(/^no gap: /);
    expect(puts).toBe(0);
  });
});
