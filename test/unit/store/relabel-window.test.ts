import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import type { Table } from '../../../lib/store/index.ts';
import { JournalChange } from '../../../lib/store/journal.ts';
import type { JournalView } from '../../../lib/store/journal-tail.ts';
import { padVersion, relabelKey, relabelPartition } from '../../../lib/store/keys.ts';
import { RelabelWindow } from '../../../lib/store/relabel-window.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const collection: Collection = 'test/things';
let clock: VirtualClock;
let table: Table;
let window: RelabelWindow;

beforeEach(() => {
  clock = createVirtualClock();
  table = createMemoryTable();
  window = new RelabelWindow({ clock, collection });
});

/** `age` in ms, by the clock of whoever wrote it. */
async function relabel(rv: number, name: string, label: string, age = 0): Promise<void> {
  const labels = JSON.stringify({ label });
  const key = relabelKey(collection, rv);
  await table.put({ ...key, sk: padVersion(rv), name, labels, time: clock.now() - age });
}

const labelsAt = (upTo: number, most?: number) => labelsIn({ after: upTo, upTo, entries: [] }, most);

async function labelsIn(view: JournalView, most = 1_000): Promise<Record<string, unknown> | undefined> {
  const relabels = await window.cover({ view, most, table });
  return relabels && Object.fromEntries([...relabels].map(([name, { labels }]) => [name, labels?.label]));
}

function changeOf(rv: number, name: string, label: string, relabels = true, age = 0): JournalChange {
  const labels = JSON.stringify({ label });
  const time = clock.now() - age;
  const row = { pk: 'journal', sk: padVersion(rv), type: 'MODIFIED', name, labels, relabels, time };
  return new JournalChange({ ...row, body: '{}', previous: '{}' });
}

function deleteOf(rv: number, name: string): JournalChange {
  const row = { pk: 'journal', sk: padVersion(rv), type: 'DELETED', name, labels: '{}', relabels: true };
  return new JournalChange({ ...row, time: clock.now(), body: '{}', previous: '{}' });
}

/** The sizes of the pages asked for from now on, of one shard or of all. */
function watchLimits(only?: number): unknown[] {
  const limits: unknown[] = [];
  const inner = table;
  table = {
    ...inner,
    query: (request) => {
      if (only === undefined || request.partition === relabelPartition(collection, only)) {
        limits.push(request.limit);
      }
      return inner.query(request);
    },
  };
  return limits;
}

const OLD = TIMING.relabelWindow + TIMING.skew + 1;

describe('the relabel window', () => {
  it('holds the newest labels of each object', async () => {
    await relabel(10, 'a', 'first');
    await relabel(11, 'b', 'only');
    await relabel(21, 'a', 'second');
    expect(await labelsAt(30)).toEqual({ a: 'second', b: 'only' });
  });

  it('is undefined while it needs more reads than allowed, and continues from there', async () => {
    for (let rv = 2; rv < 402; rv += 1) await relabel(rv, `n${rv}`, 'x');
    expect(await labelsAt(500, 100)).toBeUndefined();
    expect(Object.keys((await labelsAt(500, 1_000)) ?? {})).toHaveLength(400);
    expect(Object.keys((await labelsAt(500, 1)) ?? {})).toHaveLength(400);
  });

  it('does not take an older change for the newest if the clocks of writers differ', async () => {
    // By a fast clock, and just within the window; its successor, by a slow one, is behind where its shard ends.
    await relabel(10, 'a', 'stale', OLD - 2);
    await relabel(11, 'a', 'newest', OLD);
    for (let shard = 0; shard < 8; shard += 1) {
      for (let turn = 0; turn < 16; turn += 1) {
        await relabel(400 + turn * 8 + shard, `n${shard}`, 'x', shard === 3 && turn === 0 ? OLD : 0);
      }
    }
    expect(await labelsAt(600)).not.toHaveProperty('a', 'stale');
  });

  it('does not take an old change for the newest if its successor expired first', async () => {
    await relabel(10, 'a', 'stale', TIMING.expiry + 1);
    await relabel(12, 'b', 'new');
    expect(await labelsAt(20)).toEqual({ b: 'new' });
  });

  it('is read backwards in pages that grow by four up to a bound', async () => {
    for (let at = 0; at < 2_500; at += 1) await relabel(8 * (at + 1), `n${at}`, 'x');
    const limits = watchLimits(0);
    await labelsAt(80_000, 100_000);
    expect(limits).toEqual([16, 64, 256, 1_000, 1_000, 1_000]);
  });

  it('is read from all shards concurrently', async () => {
    let underway = 0;
    let most = 0;
    const inner = table;
    const query: Table['query'] = async (request) => {
      underway += 1;
      most = Math.max(most, underway);
      await new Promise(setImmediate);
      underway -= 1;
      return inner.query(request);
    };
    table = { ...inner, query };
    await labelsAt(100);
    expect(most).toBe(8);
  });

  it('is read in each shard up to the first page that is older than the window', async () => {
    for (let at = 0; at < 100; at += 1) await relabel(8 * (at + 1), `n${at}`, 'x', at < 80 ? OLD : OLD - 1);
    const limits = watchLimits(0);
    expect(Object.keys((await labelsAt(8_000)) ?? {})).toHaveLength(20);
    expect(limits).toEqual([16, 64]);
  });

  it('counts its earlier reads against the limit of reads', async () => {
    for (let rv = 2; rv < 402; rv += 1) await relabel(rv, `n${rv}`, 'x');
    expect(await labelsAt(500, 128)).toBeUndefined();
    const limits = watchLimits();
    expect(await labelsAt(500, 128)).toBeUndefined();
    expect(limits).toEqual([]);
    expect(await labelsAt(500, 129)).toBeDefined();
  });

  it('drops entries that have become too old, once a minute', async () => {
    await relabel(10, 'a', 'x');
    expect(await labelsAt(20)).toEqual({ a: 'x' });
    clock.advance(TIMING.relabelWindow + TIMING.skew);
    expect(await labelsAt(20)).toEqual({ a: 'x' });
    clock.advance(59_999);
    expect(await labelsAt(20)).toEqual({ a: 'x' });
    clock.advance(1);
    expect(await labelsAt(20)).toEqual({});
  });

  describe('continues from the journal', () => {
    it('with its new entries, and reads no entry again', async () => {
      await relabel(10, 'a', 'x');
      await labelsAt(20);
      const limits = watchLimits();
      const entries = [changeOf(20, 'a', 'seen'), changeOf(21, 'b', 'y'), changeOf(22, 'c', 'z', false)];
      expect(await labelsIn({ after: 19, upTo: 25, entries })).toEqual({ a: 'x', b: 'y' });
      expect(await labelsIn({ after: 25, upTo: 25, entries: [] })).toEqual({ a: 'x', b: 'y' });
      expect(await labelsIn({ after: 10, upTo: 12, entries: [changeOf(12, 'b', 'old')] })).toEqual({
        a: 'x',
        b: 'y',
      });
      expect(await labelsIn({ after: 25, upTo: 26, entries: [deleteOf(26, 'b')] })).toEqual({
        a: 'x',
        b: undefined,
      });
      expect(limits).toEqual([]);
    });

    it('by a new read if the journal starts after the window’s end', async () => {
      await relabel(10, 'a', 'x');
      await labelsAt(20);
      await relabel(21, 'b', 'between');
      expect(await labelsIn({ after: 21, upTo: 22, entries: [changeOf(22, 'c', 'y')] })).toEqual({
        a: 'x',
        b: 'between',
        c: 'y',
      });
    });

    it('without a read if the journal starts at its beginning, or before the window does', async () => {
      const limits = watchLimits();
      expect(await labelsIn({ after: 1, upTo: 2, entries: [changeOf(2, 'a', 'x')] })).toEqual({ a: 'x' });
      window = new RelabelWindow({ clock, collection });
      const entries = [changeOf(9, 'a', 'old', true, OLD), changeOf(10, 'b', 'y')];
      expect(await labelsIn({ after: 8, upTo: 10, entries })).toMatchObject({ b: 'y' });
      expect(limits).toEqual([]);
      window = new RelabelWindow({ clock, collection });
      const young = [changeOf(9, 'a', 'young', true, OLD - 1)];
      expect(await labelsIn({ after: 8, upTo: 9, entries: young })).toEqual({ a: 'young' });
      expect(limits).toHaveLength(8);
    });

    it('without replacing a journal entry by an older one', async () => {
      await relabel(8, 'a', 'older');
      const entries = [changeOf(12, 'a', 'newer')];
      expect(await labelsIn({ after: 11, upTo: 12, entries })).toEqual({ a: 'newer' });
    });
  });

  it('is not cached for more than 100,000 objects, and not tried again for a minute', async () => {
    const entries = Array.from({ length: 100_001 }, (_, index) => changeOf(index + 2, `n${index}`, 'x'));
    const few = entries.slice(0, -1);
    const size = async (part: readonly JournalChange[]) => {
      const view = { after: 1, upTo: part.length + 1, entries: part };
      return (await window.cover({ view, most: 1, table }))?.size;
    };
    expect(await size(few)).toBe(100_000);
    expect(await size(entries)).toBeUndefined();
    const limits = watchLimits();
    expect(await labelsAt(500_000)).toBeUndefined();
    expect(limits).toEqual([]);
    clock.advance(60_000);
    expect(await size(few.slice(0, 5))).toBe(5);
  });
});
