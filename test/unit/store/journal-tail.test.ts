import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../lib/platform/index.ts';
import { type Key, type Table, UnavailableError } from '../../../lib/store/index.ts';
import { holeRow } from '../../../lib/store/journal.ts';
import { JournalTail } from '../../../lib/store/journal-tail.ts';
import { raiseWatermark } from '../../../lib/store/watermarks.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, once } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const collection: Collection = 'test/things';
const OLD = TIMING.skew + 1;
let clock: VirtualClock;
let table: Table;
let tail: JournalTail;
/** The resourceVersions asked for since it was emptied. */
let asked: number[];

beforeEach(() => {
  clock = createVirtualClock();
  asked = [];
  const batchGet = (next: Table['batchGet'], keys: readonly Key[], signal?: AbortSignal) => {
    asked.push(...keys.map(({ sk }) => Number(sk)));
    return next(keys, signal);
  };
  table = createFaultyTable(createMemoryTable(), { batchGet });
  tail = new JournalTail({ clock, logger: silentLogger, collection });
});

/** Decides the versions of `from..to`, each written `age` ms ago. */
async function decide(from: number, to: number, age: number): Promise<void> {
  for (let rv = from; rv <= to; rv += 1) await table.put(holeRow(collection, rv, clock.now() - age));
}

/** The view's bounds, proved to hold each version between them once. */
async function cover(upTo: number, above?: number) {
  const view = await tail.cover(table, upTo, above);
  const versions = Array.from({ length: view.upTo - view.after }, (_, index) => view.after + 1 + index);
  expect(view.entries.map(({ rv }) => rv)).toEqual(versions);
  return { after: view.after, upTo: view.upTo };
}

describe('the tail of a journal', () => {
  it('is read backwards, twice as far each time, until the last page is entirely older than the skew', async () => {
    await decide(2, 100, OLD);
    await decide(95, 95, 0);
    expect(await cover(100)).toEqual({ after: 76, upTo: 100 });
    expect(asked).toHaveLength(24);
  });

  it('is read further if only a part of the last page is old', async () => {
    await decide(2, 100, OLD);
    for (const young of [100, 90, 70]) await decide(young, young, 0);
    expect(await cover(100)).toEqual({ after: 1, upTo: 100 });
  });

  it('is read at most a hundred entries at a time', async () => {
    await decide(2, 1_000, 0);
    await cover(1_000);
    expect(asked.slice(0, 8 + 16 + 32 + 64 + 100)).toContain(781);
    expect(asked.slice(0, 8 + 16 + 32 + 64 + 100)).not.toContain(780);
    expect(asked).toHaveLength(999);
  });

  it('ends at the compacted watermark', async () => {
    await raiseWatermark(table, collection, 'compacted', 95);
    await decide(96, 100, 0);
    expect(await cover(100)).toEqual({ after: 95, upTo: 100 });
  });

  it('is cached: no entry is read twice', async () => {
    await decide(2, 40, OLD);
    await cover(30);
    asked = [];
    expect(await cover(30)).toEqual({ after: 22, upTo: 30 });
    expect(await cover(29)).toEqual({ after: 22, upTo: 30 });
    expect(asked).toEqual([]);
    expect(await cover(40)).toEqual({ after: 22, upTo: 40 });
    expect(asked).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40]);
  });

  it('is extended backwards to what a caller needs, without duplicates', async () => {
    await decide(2, 40, OLD);
    await cover(40);
    asked = [];
    expect(await cover(40, 32)).toEqual({ after: 32, upTo: 40 });
    expect(asked).toEqual([]);
    expect(await cover(40, 20)).toEqual({ after: 20, upTo: 40 });
    expect(asked).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]);
  });

  it('is read separately for a caller that is far behind it, and stays unchanged', async () => {
    await decide(2, 40, OLD);
    await cover(40);
    expect(await cover(32, 30)).toEqual({ after: 30, upTo: 32 });
    expect(await cover(10, 5)).toEqual({ after: 5, upTo: 10 });
    asked = [];
    expect(await cover(40)).toEqual({ after: 32, upTo: 40 });
    expect(asked).toEqual([]);
  });

  it('starts again beyond a thousand new entries, and not before', async () => {
    await decide(2, 2_100, OLD);
    await cover(40);
    asked = [];
    expect(await cover(1_040)).toEqual({ after: 32, upTo: 1_040 });
    expect(asked).toHaveLength(1_000);
    asked = [];
    expect(await cover(2_041)).toEqual({ after: 2_033, upTo: 2_041 });
    expect(asked).toHaveLength(8);
  });

  it('drops its oldest entries beyond two thousand, but none younger than twice the skew', async () => {
    const entries = 2_005;
    await decide(2, entries, OLD);
    expect(await cover(entries, 1)).toEqual({ after: 1, upTo: entries });
    expect(await cover(entries)).toEqual({ after: 1, upTo: entries });
    clock.advance(TIMING.skew);
    await cover(entries);
    expect(await cover(entries)).toEqual({ after: 5, upTo: entries });
  });

  it('starts again if the entries that follow it are compacted, and reports any other failure', async () => {
    await decide(2, 10, OLD);
    await cover(10);
    await decide(60, 70, OLD);
    await raiseWatermark(table, collection, 'compacted', 59);
    expect(await cover(70)).toEqual({ after: 62, upTo: 70 });
    const fails = once<Parameters<Table['batchGet']>, ReturnType<Table['batchGet']>>(() =>
      Promise.reject(new UnavailableError('no answer')),
    );
    const silent = createFaultyTable(table, { batchGet: fails });
    await expect(tail.cover(silent, 80)).rejects.toThrow(UnavailableError);
  });
});

describe('the next entries of a journal', () => {
  const next = async (after: number, upTo: number) =>
    (await tail.next(table, after, upTo)).map(({ rv }) => rv);

  it('are read once for all readers', async () => {
    await decide(2, 40, OLD);
    await cover(30);
    asked = [];
    expect(await next(30, 33)).toEqual([31, 32, 33]);
    expect(await next(30, 33)).toEqual([31, 32, 33]);
    expect(await next(31, 40)).toEqual([32, 33]);
    expect(asked).toEqual([31, 32, 33]);
    expect(await next(33, 40)).toEqual([34, 35, 36, 37, 38, 39, 40]);
    expect(await cover(40)).toEqual({ after: 22, upTo: 40 });
    expect(asked).toHaveLength(10);
  });

  it('are cut at the end of the caller’s range, and read separately for a caller behind the cache', async () => {
    await decide(2, 40, OLD);
    await cover(40);
    asked = [];
    expect(await next(32, 34)).toEqual([33, 34]);
    expect(asked).toEqual([]);
    expect(await next(31, 34)).toEqual([32, 33, 34]);
    expect(await next(20, 22)).toEqual([21, 22]);
    expect(await cover(40)).toEqual({ after: 32, upTo: 40 });
  });

  it('are read on from the caller’s position, and the entries in between fill the cache', async () => {
    await decide(2, 40, OLD);
    await cover(20);
    asked = [];
    expect(await next(30, 32)).toEqual([31, 32]);
    expect(await cover(32)).toEqual({ after: 12, upTo: 32 });
    expect(asked).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]);
  });

  it('are empty for a caller that does not wait for the first one, and are read from there later', async () => {
    await decide(2, 40, OLD);
    await cover(40);
    expect(await tail.decided(table, 40, 45)).toEqual([]);
    await decide(41, 45, OLD);
    expect(await next(40, 45)).toEqual([41, 42, 43, 44, 45]);
    expect(await cover(45)).toEqual({ after: 32, upTo: 45 });
  });
});

describe('the entries that arrived', () => {
  const arrived = (after: number, most: number) => tail.arrived(table, after, most);

  it('end before the first missing one, and fill the cache', async () => {
    await decide(2, 40, OLD);
    await decide(42, 43, OLD);
    await cover(37);
    expect(await arrived(37, 2)).toBe(39);
    expect(await arrived(39, 4)).toBe(40);
    expect(await arrived(40, 2)).toBe(40);
    asked = [];
    expect((await tail.next(table, 37, 40)).map(({ rv }) => rv)).toEqual([38, 39, 40]);
    expect(await cover(40)).toEqual({ after: 29, upTo: 40 });
    expect(asked).toEqual([]);
  });

  it('are read eventually consistent', async () => {
    const readings: unknown[] = [];
    const batchGet: Table['batchGet'] = async (_keys, _signal, reading) => {
      readings.push(reading);
      return [];
    };
    expect(
      await tail.arrived(createFaultyTable(table, { batchGet: (_, ...asked) => batchGet(...asked) }), 5, 3),
    ).toBe(5);
    expect(readings).toEqual(['eventual']);
  });

  it('do not begin the cache, nor leave a hole in it', async () => {
    await decide(2, 45, OLD);
    expect(await arrived(39, 1)).toBe(40);
    expect(await cover(38)).toEqual({ after: 30, upTo: 38 });
    expect(await arrived(40, 1)).toBe(41);
    expect(await arrived(36, 4)).toBe(40);
    expect(await cover(41)).toEqual({ after: 30, upTo: 41 });
  });

  it('of this process are not read', async () => {
    await decide(2, 40, OLD);
    await cover(40);
    asked = [];
    const row = (rv: number) => holeRow(collection, rv, clock.now());
    expect(await tail.arrived(table, 40, 1, row(42))).toBe(40);
    expect(await tail.arrived(table, 40, 1, row(41))).toBe(41);
    expect(await cover(41)).toEqual({ after: 32, upTo: 41 });
    expect(asked).toEqual([]);
  });

  it('do not wait for a reader that waits for a gap', async () => {
    await decide(2, 40, OLD);
    await cover(40);
    const waiting = tail.next(table, 40, 42);
    await decide(42, 42, OLD);
    expect(await arrived(40, 2)).toBe(40);
    await decide(41, 41, OLD);
    expect((await waiting).map(({ rv }) => rv)).toContain(41);
  });
});
