import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { systemRandom as random } from '../../../lib/platform/index.ts';
import {
  RestoreLock,
  type RestoreProgress,
  RestoreUnderwayError,
  readRestoreProgress,
  type Table,
} from '../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const survey = { highest: {}, compacted: {}, reserving: [], newest: 0, rows: 0 };
const at = (step: RestoreProgress['step'], id = 'copy'): RestoreProgress => ({
  id,
  survey,
  raise: 1,
  began: 0,
  step,
  found: {},
});
let clock: VirtualClock;
let table: Table;
let said: string[];

beforeEach(() => {
  clock = createVirtualClock();
  table = slow(createMemoryTable());
  said = [];
});

/** A write is done some turns of the event loop after it was asked for, a read the next turn: who does not wait is late. */
function slow(given: Table): Table {
  return {
    ...given,
    get: (...asked) => setImmediate().then(() => given.get(...asked)),
    update: async (...asked) => {
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      return given.update(...asked);
    },
  };
}

const say = (text: string) => void said.push(text);
const take = (id = 'copy') => RestoreLock.take({ id, table, clock, random, say });
/** A process that is killed: none of its requests comes to the table any more. */
async function takeAndDie(step: RestoreProgress['step']): Promise<RestoreLock> {
  let isDead = false;
  const dying = Object.fromEntries(
    Object.entries(table).map(([name, ask]) => [
      name,
      (...asked: unknown[]) => (isDead ? Promise.reject(new Error('killed')) : ask(...asked)),
    ]),
  ) as unknown as Table;
  const turn = await RestoreLock.take({ id: 'copy', table: dying, clock, random, say });
  await turn.store(at(step));
  isDead = true;
  return turn;
}

describe('a restore lock', () => {
  it('is taken at once if there is none, or if the previous one ended', async () => {
    const first = await take();
    expect(first.progress).toBeUndefined();
    await first.store(at('rows'));
    await first.end();
    const second = await take();
    expect(second.progress).toEqual(at('rows'));
    expect(said).toEqual([]);
  });

  it('is refused while another restore runs, however long, and that restore continues', async () => {
    const first = await take();
    clock.advance(600_000);
    const began = clock.now();
    await expect(take()).rejects.toThrow(
      new RestoreUnderwayError('another restore of this table is under way'),
    );
    expect(said).toEqual([
      'An earlier run began this restore. Waiting 15 s to see whether that run is still alive.',
    ]);
    expect(clock.now() - began).toBeLessThan(10_000);
    await first.store(at('journal'));
    expect(await readRestoreProgress(table)).toEqual(at('journal'));
  });

  it('is taken over from a killed restore after its silence, with its progress', async () => {
    await takeAndDie('rows');
    const began = clock.now();
    const second = await take();
    expect(clock.now() - began).toBe(15_000);
    expect(second.progress).toEqual(at('rows'));
  });

  it('is taken at once if the other restore ends while this one waits', async () => {
    const first = await take();
    await first.store(at('rows'));
    const began = clock.now();
    const sleep: VirtualClock['sleep'] = async (milliseconds, signal) => {
      await clock.sleep(milliseconds, signal);
      if (clock.now() - began === 2_000) await first.end();
    };
    const second = await RestoreLock.take({ id: 'copy', table, clock: { ...clock, sleep }, random, say });
    expect(second.progress).toEqual(at('rows'));
    expect(clock.now() - began).toBe(2_000);
  });

  it('stores nothing after a takeover from a stalled restore, and does not end the new one', async () => {
    const { every } = clock;
    clock.every = () => () => {};
    const first = await take();
    clock.every = every;
    const second = await take();
    await expect(first.store(at('rows'))).rejects.toThrow('another restore has taken over: this one stops');
    await first.end();
    await second.store(at('subscriptions'));
    expect(await readRestoreProgress(table)).toEqual(at('subscriptions'));
  });

  it('is taken by one of two restores that find a dead one', async () => {
    await takeAndDie('rows');
    const both = await Promise.allSettled([take(), take()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is taken by one of two restores that start together', async () => {
    const both = await Promise.allSettled([take(), take()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is refused if the silent restore sends a heartbeat at the last moment', async () => {
    await takeAndDie('rows');
    const beats = { add: { beats: 1 } };
    const late: Table = {
      ...table,
      update: async (key, change, signal) => {
        if (change.set?.run !== undefined) await table.update(key, beats);
        return table.update(key, change, signal);
      },
    };
    await expect(RestoreLock.take({ id: 'copy', table: late, clock, random, say })).rejects.toThrow(
      RestoreUnderwayError,
    );
  });

  it('blocks no other restore after it was taken over, though its process continues', async () => {
    const first = await take();
    const { every } = clock;
    // What its process says does not come to the table for a while.
    await table.update({ pk: 'restore', sk: 'restore' }, { remove: ['run', 'beats'] });
    clock.every = () => () => {};
    const second = await take();
    await second.store(at('rows'));
    clock.every = every;
    expect((await take()).progress).toEqual(at('rows'));
    await expect(first.store(at('journal'))).rejects.toThrow(RestoreUnderwayError);
  });

  it('refuses all writes of a restore after a takeover, wherever it stalled', async () => {
    const row = { pk: 'object#x', sk: 'a/b' };
    const first = await take();
    const mine = first.guarded(table);
    await mine.put({ ...row, rv: 1 });
    expect(await table.get(row)).toMatchObject({ rv: 1 });
    // The process stands still: none of its beats comes.
    const key = { pk: 'restore', sk: 'restore' };
    await table.update(key, { remove: ['run', 'beats'] });
    await take();
    clock.advance(9_999);
    await clock.sleep(1);
    const { signal } = new AbortController();
    for (const write of [
      () => mine.put({ ...row, rv: 2 }),
      () => mine.update(row, { set: { rv: 2 } }),
      () => mine.delete(row),
      () => mine.transact([{ put: { ...row, rv: 2 } }], signal),
    ]) {
      await expect(write()).rejects.toThrow('another restore has taken over: this one stops');
    }
    expect(await table.get(row)).toMatchObject({ rv: 1 });
  });

  it('permits the writes of a slow restore that no other has taken over', async () => {
    const { every } = clock;
    clock.every = () => () => {};
    const mine = (await take()).guarded(table);
    clock.every = every;
    clock.advance(600_000);
    await mine.put({ pk: 'object#x', sk: 'a/b' });
    expect(await table.get({ pk: 'object#x', sk: 'a/b' })).toBeDefined();
    expect(await table.get({ pk: 'restore', sk: 'restore' })).toMatchObject({ beats: 1 });
    await mine.put({ pk: 'object#x', sk: 'a/c' });
    expect(await table.get({ pk: 'restore', sk: 'restore' })).toMatchObject({ beats: 1 });
  });

  it('of a copy ignores the lock that it copied from its original, and does not wait for it', async () => {
    await takeAndDie('rows');
    const began = clock.now();
    const other = await take('copy of the copy');
    expect(other.progress).toBeUndefined();
    expect(await readRestoreProgress(table)).toBeUndefined();
    expect(clock.now()).toBe(began);
  });

  it('continues from the progress that an older release stored', async () => {
    await table.put({ pk: 'restore', sk: 'restore', progress: JSON.stringify(at('rows')) });
    expect((await take()).progress).toEqual(at('rows'));
    expect(said).toEqual([]);
  });
});
