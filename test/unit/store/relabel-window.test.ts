import { beforeEach, describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../lib/platform/index.ts';
import type { Collection, Table } from '../../../lib/store/index.ts';
import { padVersion, relabelKey } from '../../../lib/store/keys.ts';
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

async function labelsAt(upTo: number, most = 1_000): Promise<Record<string, unknown> | undefined> {
  const view = { after: upTo, upTo, entries: [] };
  const relabels = await window.cover({ view, most, table });
  return relabels && Object.fromEntries([...relabels].map(([name, { labels }]) => [name, labels?.label]));
}

const OLD = TIMING.relabelWindow + TIMING.skew + 1;

describe('the relabel window', () => {
  it('knows the newest labels of each object', async () => {
    await relabel(10, 'a', 'first');
    await relabel(11, 'b', 'only');
    await relabel(21, 'a', 'second');
    expect(await labelsAt(30)).toEqual({ a: 'second', b: 'only' });
  });

  it('is undefined while more than asked for is to be read, and goes on from there', async () => {
    for (let rv = 2; rv < 402; rv += 1) await relabel(rv, `n${rv}`, 'x');
    expect(await labelsAt(500, 100)).toBeUndefined();
    expect(Object.keys((await labelsAt(500, 1_000)) ?? {})).toHaveLength(400);
    expect(Object.keys((await labelsAt(500, 1)) ?? {})).toHaveLength(400);
  });

  it('does not take an older change for the newest, where clocks of writers differ', async () => {
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

  it('does not take an old change for the newest, whose successor has expired before it', async () => {
    await relabel(10, 'a', 'stale', TIMING.expiry + 1);
    await relabel(12, 'b', 'new');
    expect(await labelsAt(20)).toEqual({ b: 'new' });
  });
});
