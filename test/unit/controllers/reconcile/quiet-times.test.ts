import { describe, expect, it } from '@jest/globals';
import { whileDue } from '../../../../lib/controllers/reconcile/index.ts';
import { readActivity, type Table } from '../../../../lib/store/index.ts';
import { activityKey } from '../../../../lib/store/keys.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SPAN = 2 * HOUR;
const STILL = 15 * MINUTE;
const NEVER = Number.POSITIVE_INFINITY;

const markActivity = (table: Table, at: number) => table.update(activityKey, { set: { at } });

/** A schedule at the beginning of a span of two hours, in a deployment that has not written for long. */
async function createSchedule() {
  const { table, clock } = createMemoryStore();
  await markActivity(table, clock.now());
  clock.advance(2 * SPAN - (clock.now() % SPAN));
  const newProcess = () => whileDue({ table, clock });
  let ticking = newProcess();
  /** Of each complete tick, whether it looks after everything. */
  const looksAfterAll: boolean[] = [];
  return {
    looksAfterAll,
    table,
    clock,
    restart: () => {
      ticking = newProcess();
    },
    /** Runs a tick; resolves to whether it was complete. */
    async isComplete(due: number | Error = NEVER, all = false) {
      let isComplete = false;
      await ticking(all, async (isAll) => {
        isComplete = true;
        looksAfterAll.push(isAll);
        if (due instanceof Error) throw due;
        return due;
      });
      return isComplete;
    },
  };
}

describe('A schedule in quiet times', () => {
  it('After a tick that found nothing to do, ticks are left out for two hours at most', async () => {
    const { clock, isComplete } = await createSchedule();
    expect(await isComplete()).toBe(true);
    clock.advance(SPAN - 1);
    expect(await isComplete()).toBe(false);
    clock.advance(1);
    expect(await isComplete()).toBe(true);
    expect(await isComplete()).toBe(false);
  });

  it('A tick looks after everything if a quiet time has ended by itself', async () => {
    const { table, clock, isComplete, looksAfterAll } = await createSchedule();
    await isComplete();
    clock.advance(SPAN);
    await isComplete(clock.now());
    // It requested work, and the next tick only looks whether there is still some.
    await isComplete();
    await markActivity(table, clock.now());
    await isComplete();
    expect(looksAfterAll).toEqual([false, true, false, false]);
  });

  it('Ticks are complete from the time at which something is due', async () => {
    const { clock, isComplete } = await createSchedule();
    await isComplete(clock.now() + 2 * MINUTE);
    clock.advance(2 * MINUTE - 1);
    expect(await isComplete()).toBe(false);
    clock.advance(1);
    expect(await isComplete(clock.now())).toBe(true);
    clock.advance(MINUTE);
    expect(await isComplete()).toBe(true);
    expect(await isComplete()).toBe(false);
  });

  it('After a mark, ticks are complete until no process has written for a quarter of an hour', async () => {
    const { table, clock, isComplete } = await createSchedule();
    await isComplete();
    await markActivity(table, clock.now());
    const marked = clock.now();
    for (; clock.now() - marked < STILL; clock.advance(MINUTE)) expect(await isComplete()).toBe(true);
    expect(await isComplete()).toBe(true);
    expect(await isComplete()).toBe(false);
  });

  it('A mark of a process whose clock is behind ends a quiet time too', async () => {
    const { table, clock, isComplete } = await createSchedule();
    await isComplete();
    await markActivity(table, clock.now() - 3 * SPAN);
    expect(await isComplete()).toBe(true);
  });

  it('A tick that the operator asks for is complete', async () => {
    const { isComplete } = await createSchedule();
    await isComplete();
    expect(await isComplete(NEVER, true)).toBe(true);
  });

  it('A new process, and one whose tick failed, begin with a complete tick', async () => {
    const { clock, restart, isComplete } = await createSchedule();
    await isComplete();
    restart();
    expect(await isComplete()).toBe(true);
    clock.advance(SPAN);
    await expect(isComplete(new Error('the table did not answer'))).rejects.toThrow();
    expect(await isComplete()).toBe(true);
  });

  it('In a table without a mark, the first tick makes one, and ticks are complete for a quarter of an hour', async () => {
    const { table, clock, isComplete } = await createSchedule();
    await table.delete(activityKey);
    expect(await isComplete()).toBe(true);
    expect(await readActivity(table)).toBe(clock.now());
    clock.advance(STILL - 1);
    expect(await isComplete()).toBe(true);
    clock.advance(1);
    expect(await isComplete()).toBe(true);
    expect(await isComplete()).toBe(false);
  });
});
